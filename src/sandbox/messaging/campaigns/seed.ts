import { MessageType } from '../../../../generated/messaging/models.ts';
import { takeId } from '../../data/settings.ts';
import type { SeedSource } from '../../seed-source.ts';
import { shopSender as shop } from '../senders/state.ts';
import type { MessagingState } from '../state.ts';
import type { Campaign } from './state.ts';

const hour = 3_600_000;
const ann = 15550100123;
const ben = 15550100124;

/** Adds templates, mailing lists and campaigns. */
export function seedCampaigns(state: MessagingState, { size, random }: SeedSource, begins: number): void {
  seedTemplates(state);
  // Ann, Ben, and a number for each of the other outcomes of a message.
  const phones = [ann, ben, 15550100130, 15550100131, 15550100132, 15550100135, 15550100136, 15550100138, 15550100139];
  state.mailingLists.put({ id: 4400, phones });
  state.mailingLists.put({ id: 4401, phones: [] });
  if (size > 0)
    state.mailingLists.put({
      id: 4402,
      phones: Array.from({ length: Math.min(size, 1_000) }, (_, place) => 15550300000 + place),
    });

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
    phones,
    blocked: [ben],
  });
  add(state, { ...base, id: 9002, name: 'Contract ready', type: MessageType.System, liveTime: 600, phones: [ann] });
  for (let place = 0; place < Math.floor(size / 10); place += 1) {
    const phone = 15550200000 + Math.floor(random() * 100_000);
    add(state, {
      ...base,
      id: takeId(state.settings),
      name: `Reminder ${place + 1}`,
      message: 'Hello!',
      phones: [phone],
    });
  }
}

function seedTemplates({ templates }: MessagingState): void {
  const text = 'Hello {{name}}, the contract of your {{plan}} plan is ready.';
  templates.put({ id: 700, senderId: shop.id, approved: true, text });
  templates.put({ id: 701, senderId: shop.id, approved: false, text: 'Your plan {{plan}} ends soon.' });
  templates.put({ id: 702, senderId: 7, approved: true, text: 'Your invoice {{number}} is paid.' });
}

/** Returns the fields that all campaigns of the seed share. */
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
    blocked: [],
  };
}

function add(state: MessagingState, added: Campaign): void {
  state.campaigns.put(added);
}
