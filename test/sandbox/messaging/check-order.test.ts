import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { marked } from '../marks.ts';
import { startAt } from '../support.ts';
import { button, promo, sale, system } from './examples.ts';

// Order of checks: shape, rules with a code, limits, state. Each test adds a problem, and the earliest check must
// reject.

/** Returns the rule or choice that rejects a request. */
async function because(request: string, body: object): Promise<string | undefined> {
  const { rule, choices } = await marked(createSandbox({ startAt }), request, body);
  return rule ?? choices[0];
}

test('checks a campaign from its shape to the state of the account', async () => {
  const create = (fields: object) => because('POST /msgr', fields);
  const unknownList = { ...promo, recipients: null, address_book: 9 };
  const unknownSender = { ...unknownList, sender_id: 99 };
  const impossibleDate = { ...unknownSender, send_date: '2026-02-30 10:00:00' };
  const noContent = { ...impossibleDate, message: null };
  const both = { ...noContent, recipients: [15550100123] };
  const tooLong = { ...both, task_name: 'Renewal', stretch_time: 6 };
  const coded = { ...tooLong, template_id: 700, message: 'Hello' };
  const shapeless = { ...coded, sender_id: '99' };
  expect(await create(unknownList)).toBe('unknown-record');
  expect(await create(unknownSender)).toBe('messaging-sender-active');
  expect(await create(impossibleDate)).toBe('messaging-send-date');
  expect(await create(noContent)).toBe('messaging-content-combinations');
  expect(await create(both)).toBe('messaging-audience');
  expect(await create(tooLong)).toBe('request-shape');
  expect(await create(coded)).toBe('messaging-template-excludes-message');
  expect(await create(shapeless)).toBe('request-shape');
});

test('reports an invalid phone number before an unknown sender', async () => {
  const fields = { ...promo, sender_id: 99, recipients: [0] };
  expect(await because('POST /msgr', fields)).toBe('messaging-phone-range');
});

test('reports the extras of a system message before an inactive sender', async () => {
  const sandbox = createSandbox({ startAt });
  const { templates } = sandbox.state.messaging;
  const template = templates.get(700);
  if (template) templates.put({ ...template, senderId: 6 });
  const fields = { ...system, sender_id: 6, additional: { button } };
  expect((await marked(sandbox, 'POST /msgr', fields)).rule).toBe('messaging-promo-extras');
  expect((await marked(sandbox, 'POST /msgr', { ...fields, additional: {} })).rule).toBe('messaging-sender-active');
});

test('checks a web push campaign from its shape to the state of the account', async () => {
  const create = (fields: object) => because('POST /push/tasks', fields);
  const plan = { text: 'Plans', link: 'https://shop.example.com/plans' };
  const unknownWebsite = { ...sale, website_id: 9 };
  const noTime = { ...unknownWebsite, ttl: -1 };
  const manyButtons = { ...unknownWebsite, buttons: JSON.stringify([plan, plan, plan]) };
  const noImage = { ...unknownWebsite, image: 'https://shop.example.com/sale.pdf' };
  const noRegion = { ...manyButtons, ...noImage, ttl: -1, filter_region: '["PL"' };
  expect(await create(unknownWebsite)).toBe('unknown-record');
  expect(await create(noTime)).toBe('push-time-range');
  expect(await create(manyButtons)).toBe('push-buttons-limit');
  expect(await create(noImage)).toBe('push-image-file');
  expect(await create(noRegion)).toBe('push-json-text');
  expect(await create({ ...sale, buttons: '[1,2,3]' })).toBe('push-json-text');
  expect(await create({ ...noRegion, ttl: 86_401 })).toBe('request-shape');
});

test('checks the quota of a website last', async () => {
  const sandbox = createSandbox({ startAt });
  sandbox.clock.freeze();
  const create = (fields: object) => marked(sandbox, 'POST /push/tasks', { ...sale, ...fields });
  expect((await create({})).status).toBe(200);
  expect((await create({ ttl: -1 })).choices).toEqual(['push-time-range']);
  expect((await create({ website_id: 9 })).choices).toEqual(['unknown-record']);
  expect((await create({})).rule).toBe('push-campaign-quota');
});
