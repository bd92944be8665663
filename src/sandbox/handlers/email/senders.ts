import type { EmailHandlers } from '../../handler-types.ts';
import { addressKey, readAddress } from './addresses.ts';
import { whole } from './paging.ts';

type SenderHandlers = Pick<EmailHandlers, 'listSenderIps' | 'listSenderAddresses' | 'createSenderAddress'>;

export const senderHandlers: SenderHandlers = {
  listSenderIps(_request, { state }) {
    return [...state.email.ips];
  },

  listSenderAddresses(_request, context) {
    return whole(context.state.email.senders.values(), context).map(({ email }) => email);
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
