import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { readAddress } from './addresses.ts';
import { addressKey } from './common.ts';

/** @internal */
export const emailSenderHandlers = {
  listSenderIps(_request, { state }) {
    return [...state.email.settings.get('ips')];
  },

  listSenderAddresses: {
    list: { order: 'email-list-order' },
    handle: (_request, context) => context.list(context.state.email.senders.values()).map(({ email }) => email),
  },

  createSenderAddress({ body }, context) {
    const { senders } = context.state.email;
    const email = readAddress(body.email, 'email', context);
    const known = senders.get(addressKey(email));
    if (known) context.chose('email-known-sender');
    senders.put({ name: body.name, email: known?.email ?? email });
    return { result: true };
  },
} satisfies Partial<Handlers['email']>;

/** Rejects a request to send from an address that is not a sender address of the account. */
export function rejectUnknownSender(address: string, place: string, context: Context): void {
  if (context.state.email.senders.has(addressKey(address))) return;
  context.reject('email-sender-addresses-shared', {
    message: `${place} is not a sender address of the account. Add it with POST /senders.`,
    choice: 'email-sender',
  });
}
