import type { SenderName } from '../../../generated/messaging/models.ts';
import { messagingTitles } from '../../../generated/messaging/reference.ts';
import { zSenderName } from '../../../generated/messaging/zod.ts';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface SenderNamesTables {
  senders: Table<number, SenderName>;
}

const choices = {
  'messaging-sender-status': 'A sender name is active if its `status` is `active`.',
} as const;

/** Sender name of the example story (spec/README.md). */
export const shopSender: SenderName = {
  id: 5,
  status: 'active',
  name: 'MyShop',
  service_type: 'shop',
  web_site: 'https://shop.example.com',
  description: 'Online shop for office plans',
  country: 'PL',
  traffic_type: 'promo',
  admin_comment: null,
};

/**
 * Sender names, which are read-only.
 *
 * @internal
 */
export const senderNames: Resource<SenderNamesTables, typeof choices> = {
  tables: (ledger) => ({
    senders: tableById<SenderName>(ledger, 'messaging.senders', zSenderName, messagingTitles.SenderName),
  }),

  seed(state) {
    const others: SenderName[] = [
      {
        ...shopSender,
        id: 6,
        name: 'MyShop News',
        status: 'moderation',
        admin_comment: 'Waiting for the contract',
      },
      {
        ...shopSender,
        id: 7,
        name: 'MyShop Service',
        traffic_type: 'service',
        description: 'Service messages of the shop',
      },
    ];
    for (const sender of [{ ...shopSender }, ...others]) state.senders.put(sender);
  },

  choices,
};
