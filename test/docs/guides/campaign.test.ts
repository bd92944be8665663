import { expect, test } from 'vitest';
import { createClient, Messaging, runInBatches } from '../../../src/client/index.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';
import { readGuideText, readTable } from './tables.ts';

test("the guide's table has every documented code with its meaning", () => {
  const rows = Object.entries(Messaging.CampaignsCreateErrors).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  const table = ['| code | meaning |', '|---|---|', ...rows, ''].join('\n');
  expect(readGuideText('campaign'), `docs/guides/campaign.md needs this table:\n\n${table}`).toContain(`\n${table}\n`);
});

const campaign: Messaging.CampaignCreateCommon = {
  message_type: Messaging.MessageType.Promo,
  sender_id: 5,
  message_live_time: 3_600,
  send_date: 'now',
  message: 'Your annual plan renews this month.',
};

/** The outcome of a batch, and the number of campaigns that it added at the service. */
async function send(fault?: Fault, changes: Partial<typeof campaign> = {}): Promise<[string | undefined, number]> {
  const sandbox = createSandbox();
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  const count = async (): Promise<number> => (await api.messaging.campaigns.list().toArray({ max: 1_000 })).length;
  const before = await count();
  if (fault) sandbox.faults.add(fault);
  const [outcome] = await runInBatches({
    items: [15550100123],
    size: Messaging.CampaignsCreateMaxItems.recipients,
    run: (recipients) => api.messaging.campaigns.create({ ...campaign, recipients, ...changes }),
  });
  return [outcome?.status, (await count()) - before];
}

test.for<[string, Fault | undefined, Partial<typeof campaign>, [string, number]]>([
  ['sent', undefined, {}, ['done', 1]],
  ['emulated', undefined, { emulate: true }, ['done', 0]],
  ['refused', undefined, { sender_id: 6 }, ['unknown', 0]],
  ['never received', { drop: 'before' }, {}, ['unknown', 0]],
  ['answered to nobody', { drop: 'after' }, {}, ['unknown', 1]],
  ['failed half-way', { status: 503 }, {}, ['unknown', 0]],
])('a batch that is %s has the outcome that the guide states', async ([, fault, changes, expected]) => {
  expect(await send(fault, changes)).toEqual(expected);
});

test('the guide lists every outcome', () => {
  const rows = readTable('campaign', ['outcome', 'what happened', 'what to do']);
  expect(rows.map(([outcome]) => outcome)).toEqual(['`done`', '`not-done`', '`unknown`']);
});
