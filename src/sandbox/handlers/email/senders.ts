import type { EmailHandlers } from '../../../../generated/email/handlers.ts';
import { addressKey, readAddress } from './addresses.ts';

type SenderHandlers = Pick<EmailHandlers, 'listSenderIps' | 'listSenderAddresses' | 'createSenderAddress'>;

export const senderHandlers: SenderHandlers = {
  listSenderIps(_request, { state }) {
    return [...state.email.ips];
  },

  listSenderAddresses(_request, context) {
    context.chose('email-list-order');
    return Array.from(context.state.email.senders.values(), ({ email }) => email);
  },

  createSenderAddress({ body }, context) {
    const { senders } = context.state.email;
    const email = readAddress(body.email, 'email', context);
    const known = senders.get(addressKey(email));
    if (known) {
      context.chose('email-known-sender');
      known.name = body.name;
    } else {
      senders.set(addressKey(email), { name: body.name, email });
    }
    return { result: true };
  },
};
