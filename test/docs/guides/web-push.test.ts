import { expect, test } from 'vitest';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { createClient, isCarillonError, Messaging } from '../../../src/client/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { readGuideText } from './tables.ts';

const operation = listOperations(loadSpec('messaging')).find(({ operationId }) => operationId === 'createPushCampaign');
const quota = operation?.operation['x-rate-limit'];

function start() {
  const sandbox = createSandbox();
  sandbox.clock.freeze();
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  return { sandbox, campaigns: api.messaging.push.campaigns };
}

const campaign: Messaging.PushCampaignsCreateParams = { website_id: 42, title: 'Sale', body: 'Today', ttl: 60 };

test('the program waits as long as the spec requires', () => {
  expect(quota).toMatchObject({ requests: 1, per: 'website' });
  const [, minutes] = /const quota = (\d+) \* 60_000;/.exec(readGuideText('web-push')) ?? [];
  expect(Number(minutes) * 60).toBe(quota?.seconds);
});

test('a second campaign is rejected until the quota is free again, and no campaign is created twice', async () => {
  const { sandbox, campaigns } = start();
  await campaigns.create(campaign);
  const rejected = await campaigns.create(campaign, { maxRetries: 0 }).catch((error: unknown) => error);
  expect(isCarillonError(rejected, 'RateLimitError')).toBe(true);
  sandbox.clock.advance((quota?.seconds ?? 0) * 1_000);
  await campaigns.create(campaign);
  const all = await campaigns.list({ website_id: 42 }).toArray({ max: 100 });
  expect(all.filter(({ title }) => title === 'Sale')).toHaveLength(2);
});

test('a campaign whose filters match no user ends as NoActiveRecipients', async () => {
  const { sandbox, campaigns } = start();
  const { id } = await campaigns.create({ ...campaign, filter_lang: 'xx' });
  sandbox.clock.advance(60_000);
  expect((await campaigns.get({ id })).status).toBe(Messaging.PushCampaignStatus.NoActiveRecipients);
});

test('buttons and filters are written as JSON on the wire', async () => {
  const { sandbox, campaigns } = start();
  await campaigns.create({
    ...campaign,
    buttons: [{ text: 'Go', link: 'https://shop.example.com/' }],
    filter_region: ['PL'],
  });
  expect(sandbox.requests.at(-1)?.body).toMatchObject({
    buttons: '[{"text":"Go","link":"https://shop.example.com/"}]',
    filter_region: '["PL"]',
  });
});
