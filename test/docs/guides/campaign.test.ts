import ts from 'typescript';
import { expect, test } from 'vitest';
import { createClient, isCarillonError, Messaging } from '../../../src/client/index.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';
import { readGuideText } from './tables.ts';

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

/** The function of the guide's program that decides whether a part can be sent again. */
function readIsUndone(): (error: unknown) => boolean {
  const [source = ''] = /function isUndone[\s\S]*?\n}\n/.exec(readGuideText('campaign')) ?? [];
  return new Function('isCarillonError', `${ts.transpile(source)} return isUndone;`)(isCarillonError);
}

/** The outcome of a part, and the number of campaigns that it added at the service. */
async function send(fault?: Fault, changes: Partial<typeof campaign> = {}): Promise<[string, number]> {
  const sandbox = createSandbox();
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  const count = async (): Promise<number> => (await api.messaging.campaigns.list().toArray({ max: 1_000 })).length;
  const before = await count();
  if (fault) sandbox.faults.add(fault);
  const outcome = await api.messaging.campaigns.create({ ...campaign, recipients: [15550100123], ...changes }).then(
    () => 'sent',
    (error: unknown) => (readIsUndone()(error) ? 'undone' : 'unknown'),
  );
  return [outcome, (await count()) - before];
}

test.for<[string, Fault | undefined, Partial<typeof campaign>, [string, number]]>([
  ['sent', undefined, {}, ['sent', 1]],
  ['emulated', undefined, { emulate: true }, ['sent', 0]],
  ['rejected', undefined, { sender_id: 6 }, ['undone', 0]],
  ['wrong', undefined, { sender_id: Number.NaN }, ['undone', 0]],
  ['never received', { drop: 'before' }, {}, ['unknown', 0]],
  ['processed, and its response lost', { drop: 'after' }, {}, ['unknown', 1]],
  ['failed half-way', { status: 503 }, {}, ['unknown', 0]],
])('a part that is %s has the outcome that the guide states', async ([, fault, changes, expected]) => {
  expect(await send(fault, changes)).toEqual(expected);
});
