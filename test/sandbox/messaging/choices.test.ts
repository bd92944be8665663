import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { choicesOf } from '../marks.ts';
import { hour, minute, start, startAt } from '../support.ts';
import { button, image, promo, sale, system } from './examples.ts';

// A response names exactly the choices that it depends on.

const dates = ['dates-format', 'utc-dates'];
const named = { ...promo, task_name: 'Renewal' };

function empty() {
  return createSandbox({ seed: false, startAt });
}

describe('a list', () => {
  test('names no choice if it is empty', async () => {
    for (const path of [
      '/msgr/task',
      '/msgr/senders',
      '/v2/msgr-service/phone-exception',
      '/push/tasks',
      '/push/websites/',
    ])
      expect(await choicesOf(empty(), `GET ${path}`), path).toEqual([]);
  });

  test('names the order of its entries if it has several', async () => {
    const { sandbox } = start();
    const request = 'GET /v2/msgr-service/phone-exception';
    expect(await choicesOf(sandbox, request)).toEqual(['blacklist-user', ...dates]);
    await choicesOf(sandbox, `POST /v2/msgr-service/phone-exception`, { phones: [15550100131] });
    expect(await choicesOf(sandbox, request)).toContain('messaging-list-order');
    expect(await choicesOf(sandbox, `${request}?limit=1`)).toContain('messaging-list-order');
    expect(await choicesOf(sandbox, `${request}?offset=5`)).toEqual(['messaging-list-order']);
    expect(await choicesOf(sandbox, 'GET /msgr/senders')).toEqual(['messaging-list-order']);
    expect(await choicesOf(sandbox, 'GET /msgr/task/9001/recipients')).toContain('messaging-list-order');
    expect(await choicesOf(sandbox, 'GET /msgr/task/9002/recipients')).not.toContain('messaging-list-order');
  });

  test('names the page size if another would change the response', async () => {
    const sandbox = createSandbox({ seed: 2_000, startAt });
    const request = 'GET /msgr/task';
    expect(await choicesOf(sandbox, request)).toContain('page-size');
    expect(await choicesOf(sandbox, `${request}?limit=0`)).toContain('page-size');
    expect(await choicesOf(sandbox, `${request}?limit=7`)).not.toContain('page-size');
    expect(await choicesOf(sandbox, `${request}?offset=150`)).not.toContain('page-size');
    expect(await choicesOf(createSandbox({ startAt }), request)).not.toContain('page-size');
    expect(await choicesOf(createSandbox({ startAt }), `${request}?limit=0`)).toContain('page-size');
  });
});

describe('a campaign', () => {
  test('names the choices of its statistics once it has some', async () => {
    const { sandbox, api } = start();
    const later = {
      ...named,
      send_date: '2026-11-04 13:00:00',
      recipients: [15550100124, 15550100136],
      stretch_time: 1,
    };
    const { task_id } = await api.messaging.campaigns.create(later);
    const read = () => choicesOf(sandbox, `GET /msgr/task/${task_id}`);
    const recipients = () => choicesOf(sandbox, `GET /msgr/task/${task_id}/recipients`);
    expect(await read()).toEqual([...dates, 'messaging-campaign-status'].sort());
    expect(await recipients()).toEqual(['messaging-recipient-listed']);
    sandbox.clock.advance(hour);
    const delivery = ['messaging-blacklisted-recipient', 'messaging-delivery', 'messaging-gradual-distances'];
    expect(await read()).toEqual([...delivery, ...dates, 'messaging-campaign-status', 'messaging-statistics'].sort());
    expect(await recipients()).toEqual([...delivery, ...dates, 'messaging-price', 'messaging-recipient-listed'].sort());
    sandbox.clock.advance(hour);
    expect(await recipients()).toEqual([...delivery, ...dates, 'messaging-price', 'messaging-list-order'].sort());
  });

  test('names the choice of which content counts as missing', async () => {
    const { sandbox } = start();
    const create = (fields: object) => choicesOf(sandbox, 'POST /msgr', { ...named, ...fields });
    const emptyContent = ['dates-format', 'messaging-empty-content', 'utc-dates'];
    expect(await create({})).toEqual(dates);
    expect(await create({ message: '', additional: { image } })).toEqual(emptyContent);
    expect(await create({ ...system, message: '' })).toEqual(emptyContent);
    expect(await create({ additional: { button: {}, image: { link: '' } } })).toEqual(emptyContent);
    expect(await create({ additional: { button, resend_sms: { status: false } } })).toEqual(dates);
  });

  test('names the choices for the test ID and for a generated name', async () => {
    const { sandbox } = start();
    expect(await choicesOf(sandbox, 'POST /msgr', { ...promo, emulate: true })).toEqual([
      ...dates.slice(0, 1),
      'messaging-generated-name',
      'messaging-test-task-id',
      ...dates.slice(1),
    ]);
  });
});

describe('web push', () => {
  test('names the choices of its statistics once it has some', async () => {
    const { sandbox, api } = start();
    const { id } = await api.messaging.push.campaigns.create(sale);
    const read = () => choicesOf(sandbox, `GET /push/tasks/${id}`);
    expect(await read()).toEqual(['push-progress']);
    sandbox.clock.advance(5 * hour + minute);
    expect(await read()).toEqual(['push-progress', 'push-statistics']);
  });

  test('names how given dates and filters are read', async () => {
    const { sandbox } = start();
    const create = (fields: object) => {
      sandbox.clock.advance(15 * minute);
      return choicesOf(sandbox, 'POST /push/tasks', { ...sale, ...fields });
    };
    expect(await create({})).toEqual(['push-progress']);
    expect(await create({ filter_lang: 'en' })).toEqual(['push-filter-matching', 'push-progress']);
    expect(await create({ filter_subscription_date_from: '2026-11-01' })).toEqual([
      'push-filter-matching',
      'push-progress',
      'utc-dates',
    ]);
    for (const field of ['link', 'image', 'buttons', 'filter_lang', 'filter_browser', 'filter_region', 'filter_url'])
      for (const empty of ['', ' '])
        expect(await create({ [field]: empty })).toEqual(['push-empty-text', 'push-progress']);
    expect(await create({ filter: {} })).toEqual(['push-incomplete-filter', 'push-progress']);
    expect(await create({ filter_url: '{}' })).toEqual(['push-incomplete-filter', 'push-progress']);
  });

  test('names the meaning of a website ID of 0 or of an unknown website', async () => {
    const { sandbox } = start();
    const list = (id: number) => choicesOf(sandbox, `GET /push/tasks?website_id=${id}`);
    expect(await list(0)).toContain('push-website-filter');
    expect(await list(9)).toEqual(['push-website-filter']);
    expect(await list(42)).toEqual([...dates.slice(0, 1), 'push-period', 'push-progress', 'utc-dates']);
  });

  test('names how subscribers are counted if some are inactive', async () => {
    const { sandbox } = start();
    const count = 'GET /push/websites/42/subscriptions/total';
    expect(await choicesOf(sandbox, count)).toEqual(['push-subscriber-count']);
    for (const id of [67003, 67004]) await choicesOf(sandbox, 'POST /push/subscriptions/state', { id, state: 1 });
    expect(await choicesOf(sandbox, count)).toEqual([]);
    const list = (query: string) => choicesOf(sandbox, `GET /push/websites/42/subscriptions?${query}`);
    expect(await list('limit=1')).not.toContain('push-variable-entry');
    expect(await list('limit=2')).toContain('push-variable-entry');
  });

  test('names the choice that a list of variables ends with a full page', async () => {
    const { sandbox } = start();
    const request = 'GET /push/websites/42/variables';
    expect(await choicesOf(sandbox, request)).toEqual(['messaging-list-order']);
    const { websites } = sandbox.state.messaging;
    const website = websites.get(42);
    const variables = Array.from({ length: 101 }, (_, id) => ({ id, name: `v${id}`, type: 'string' }));
    if (website) websites.put({ ...website, variables });
    expect(await choicesOf(sandbox, request)).toEqual(['messaging-list-order', 'push-variables-cut']);
  });
});
