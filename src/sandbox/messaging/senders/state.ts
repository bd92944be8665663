import type { SenderName } from '../../../../generated/messaging/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface SendersState {
  senders: Table<number, SenderName>;
}

export function emptySenders(ledger: Ledger): SendersState {
  return { senders: new Table(ledger, 'messaging.senders', ({ id }) => id) };
}

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

export function seedSenders({ senders }: SendersState): void {
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
  for (const sender of [{ ...shopSender }, ...others]) senders.put(sender);
}
