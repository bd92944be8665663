import { MessageType, type SenderName } from '../../../generated/messaging/models.ts';
import { formatDateTime } from '../dates.ts';
import type { Campaign, MessagingState } from '../state/messaging.ts';
import type { SeedSource } from './seed.ts';

const hour = 3_600_000;
const shop: SenderName = {
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
const ann = 15550100123;
const ben = 15550100124;

/** Sender names, templates, mailing lists, campaigns and the blacklist. */
export function seedCampaigns(state: MessagingState, { size, random }: SeedSource, begins: number): void {
  seedSenders(state);
  seedTemplates(state);
  seedBlacklist(state, size, begins);
  // Ann, Ben, and a number for each of the other ends that a message can have.
  const list = [ann, ben, 15550100130, 15550100131, 15550100132, 15550100135, 15550100136, 15550100138, 15550100139];
  state.mailingLists.set(4400, list);
  state.mailingLists.set(4401, []);
  if (size > 0)
    state.mailingLists.set(
      4402,
      Array.from({ length: Math.min(size, 1_000) }, (_, place) => 15550300000 + place),
    );

  const base = campaign(begins);
  add(state, {
    ...base,
    id: 9001,
    name: 'Renewal reminder',
    message: 'Your annual plan renews this month.',
    button: { text: 'Renew now', link: 'https://shop.example.com/renew' },
    imageLink: 'https://shop.example.com/renewal.png',
    resend: { text: 'Your annual plan renews this month.', senderName: shop.name },
    addressBook: 4400,
    phones: [...list],
    blocked: new Set([ben]),
  });
  add(state, { ...base, id: 9002, name: 'Contract ready', type: MessageType.System, liveTime: 600, phones: [ann] });
  for (let place = 0; place < Math.floor(size / 10); place += 1) {
    const phone = 15550200000 + Math.floor(random() * 100_000);
    add(state, { ...base, id: state.nextId++, name: `Reminder ${place + 1}`, message: 'Hello!', phones: [phone] });
  }
}

function seedSenders(state: MessagingState): void {
  const others: SenderName[] = [
    { ...shop, id: 6, name: 'MyShop News', status: 'moderation', admin_comment: 'Waiting for the contract' },
    { ...shop, id: 7, name: 'MyShop Service', traffic_type: 'service', description: 'Service messages of the shop' },
  ];
  for (const sender of [shop, ...others]) state.senders.set(sender.id, sender);
}

function seedTemplates({ templates }: MessagingState): void {
  const text = 'Hello {{name}}, the contract of your {{plan}} plan is ready.';
  templates.set(700, { id: 700, senderId: shop.id, approved: true, text });
  templates.set(701, { id: 701, senderId: shop.id, approved: false, text: 'Your plan {{plan}} ends soon.' });
  templates.set(702, { id: 702, senderId: 7, approved: true, text: 'Your invoice {{number}} is paid.' });
}

function seedBlacklist(state: MessagingState, size: number, begins: number): void {
  const entry = { user_id: state.userId, description: 'Asked for no more messages', add_date: formatDateTime(begins) };
  state.blacklist.set(ben, { ...entry, id: 301, phone: ben });
  for (let place = 0; place < Math.floor(size / 10); place += 1) {
    const phone = 15551000000 + place;
    state.blacklist.set(phone, { ...entry, id: state.nextId++, phone });
  }
}

/** What the campaigns of the seed have in common. */
function campaign(begins: number): Omit<Campaign, 'id' | 'name'> {
  return {
    type: MessageType.Promo,
    message: null,
    button: null,
    imageLink: null,
    resend: null,
    addressBook: null,
    senderId: shop.id,
    liveTime: 3_600,
    stretchTime: 0,
    createdAt: begins,
    sendAt: begins + 24.5 * hour,
    phones: [],
    blocked: new Set(),
  };
}

function add(state: MessagingState, added: Campaign): void {
  state.campaigns.set(added.id, added);
}
