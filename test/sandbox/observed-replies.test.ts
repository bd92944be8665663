import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { readFiles } from '../../src/sandbox/command/config.ts';
import { createSandbox } from '../../src/sandbox/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-observed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shape = (types: object, more: object = {}): object => ({ types, replies: 6, multiple: 6, ...more });
const file = (operation: string, body: object): string =>
  JSON.stringify({
    carillonObserved: 1,
    accounts: { '00000000-0000-4000-8000-000000000001': { [operation]: { 200: { replies: 6, bodies: 6, body } } } },
  });
const deal = (fields: object, count = 12): object =>
  shape(
    { object: 6 },
    { fields: { data: shape({ object: count }, { fields: { id: shape({ integer: count }), ...fields } }) } },
  );

async function getDeal(observed: string) {
  const { fetch } = createSandbox({ observed });
  const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch });
  return api.crm.deals.get({ dealId: 501 }).withResponse();
}

describe('the sandbox with observations', () => {
  it('replies null for fields that were always null, omits fields that never occurred, and names both in a header', async () => {
    const { data, response } = await getDeal(
      file('getDeal', deal({ name: shape({ null: 12 }), price: shape({ integer: 12 }) })),
    );
    expect(data).toEqual({ id: 501, name: null, price: 1200 });
    expect(response.headers.get('x-sandbox-observed')).toMatch(/^data\.\S+ left-out, .*data\.name null/);
  });

  it('keeps fields if too few records were observed', async () => {
    const { data, response } = await getDeal(file('getDeal', deal({}, 5)));
    expect(data).toMatchObject({ id: 501, name: expect.any(String), stepId: 11 });
    expect(response.headers.get('x-sandbox-observed')).toBeNull();
  });

  it('keeps fields if the observations have fields without names, or the values of a map', async () => {
    for (const more of [{ unnamed: 3 }, { entries: shape({ string: 6 }) }]) {
      const data = shape({ object: 12 }, { fields: { id: shape({ integer: 12 }) }, ...more });
      const reply = await getDeal(file('getDeal', shape({ object: 6 }, { fields: { data } })));
      expect(reply.data).toMatchObject({ id: 501, name: expect.any(String) });
    }
  });

  it('keeps a field that was null in too few records', async () => {
    const { data } = await getDeal(file('getDeal', deal({ name: shape({ null: 5 }) })));
    expect(data).toMatchObject({ name: expect.any(String) });
  });

  it.each([
    ['a number in a string', { price: shape({ string: 12 }, { texts: { integer: 12 } }) }, { price: '1200' }],
    ['sometimes null', { price: shape({ null: 1, integer: 11 }) }, { price: 1200 }],
  ])('follows the format: %s', async (_, fields, expected) => {
    expect((await getDeal(file('getDeal', deal(fields)))).data).toMatchObject(expected);
  });

  const websitesWith = async (added: object) => {
    const item = shape({ object: 12 }, { fields: { add_date: added } });
    const { fetch } = createSandbox({ observed: file('listWebsites', shape({ array: 6 }, { items: item })) });
    const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch });
    return (await api.messaging.push.websites.list()).data[0]?.add_date;
  };

  it.each([
    ['date', /^\d{4}-\d{2}-\d{2}$/],
    ['date time', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/],
    ['ISO date time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/],
    ['date with slashes', /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/],
    ['ISO date time with offset', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/],
    ['date with dots', /^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}:\d{2}$/],
  ])('follows the format of dates: %s', async (format, expected) => {
    expect(await websitesWith(shape({ string: 12 }, { texts: { [format]: 12 } }))).toMatch(expected);
  });

  it('follows the format of dates that are numbers, unless their unit is not known', async () => {
    const numbers = (format: string) => websitesWith(shape({ integer: 12 }, { integers: { [format]: 12 } }));
    const text = await websitesWith(shape({ string: 12 }, { texts: { 'ISO date time with offset': 12 } }));
    const milliseconds = Date.parse(String(text));
    expect(milliseconds).toBeGreaterThan(1e12);
    expect(await numbers('as milliseconds since 1970')).toBe(milliseconds);
    expect(await numbers('as seconds since 1970')).toBe(milliseconds / 1_000);
    expect(await numbers('1000-')).toEqual(expect.any(String));
  });

  it('throws for an invalid file, and names the option', () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{}');
    expect(() => createSandbox({ observed: '{}' })).toThrow(/no observations/);
    expect(() => readFiles({ observed: other })).toThrow(/^--observed .*other\.json: .*no observations/);
    expect(() => readFiles({ observed: join(folder, 'none.json') })).toThrow(/^--observed .*no such file/);
  });
});
