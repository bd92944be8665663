import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { unchecked } from './support.ts';

test.each([
  [{ stirct: true }, /^There is no option stirct. Did you mean strict\? The options are seed, apiKeys, /],
  [{ colour: 'red' }, /^There is no option colour\. The options are seed, /],
  [{ seed: 'x' }, 'seed must be true, false or a whole number of records from 0 to 1000000'],
  [{ seed: null }, /^seed must be /],
  [{ apiKeys: 'key' }, 'apiKeys must be a list of at most 5 non-empty strings'],
  [{ apiKeys: ['a', ''] }, /^apiKeys must be /],
  [{ clients: [{ clientId: 'shop' }] }, /^clients must be a list of \{ clientId, clientSecret \}/],
  [
    { clients: [{ clientId: 'shop', clientSecert: 'hush' }] },
    /^clients must be a list of \{ clientId, clientSecret \}/,
  ],
  [{ tariff: 'gold' }, "tariff must be 'paid' or 'free'"],
  [{ currency: 'euro' }, /^currency must be /],
  [{ startAt: '2026-11-04' }, 'startAt must be a number of milliseconds since 1970'],
  [{ control: 'yes' }, /^control must be true, false or \{ token, origins \}/],
  [{ control: { tokn: 'x' } }, /^control must be true, false or \{ token, origins \}/],
  [{ store: {} }, 'store must be an object with the methods of Store'],
  [{ worlds: 'credentials' }, /^worlds must be 'shared', 'credential' or \{ header \}/],
  [{ worlds: { header: 'x y' } }, /^worlds must be /],
  [{ worlds: { haeder: 'x' } }, /^worlds must be /],
  [{ strict: 'false' }, 'strict must be true or false'],
  [{ ownFields: 'region' }, 'ownFields must be a list of field names'],
  [{ maxWorlds: '5' }, 'maxWorlds must be a whole number above 0'],
  [{ worldsExpireAfter: 0 }, 'worldsExpireAfter must be a number of milliseconds above 0'],
  [{ faults: {} }, 'faults must be a list of faults'],
  [{ faults: [{ status: 503 }, { staus: 503 }] }, /^faults\[1\]: there is no property staus. Did you mean status\?/],
  [{ faults: [{ status: 'soon' }] }, /^faults\[0\]\.status: Invalid input: expected number/],
  [null, 'The options of createSandbox must be an object'],
  ['empty', /must be an object/],
  [[], /must be an object/],
])('the options %j are invalid', (options, message) => {
  const create = () => createSandbox(unchecked(Object(options) === options ? (options as object) : (options as never)));
  expect(create).toThrow(RangeError);
  expect(create).toThrow(message);
});

test('accepts options that are undefined', () => {
  const options = Object.fromEntries(
    ['seed', 'apiKeys', 'scenario', 'faults', 'control', 'store', 'worlds', 'maxWorlds'].map((name) => [
      name,
      undefined,
    ]),
  );
  expect(createSandbox(options).state.crm.deals.size).toBe(1);
});

test.each([
  [{ sed: 3 }, 'There is no option sed. Did you mean seed? The options are seed'],
  [{ seed: '3' }, /^seed must be /],
  [{ seed: 1.5 }, /^seed must be /],
  [null, 'The options of reset must be an object'],
  [5, 'The options of reset must be an object'],
])('the options %j of reset are invalid, and change nothing', (options, message) => {
  const sandbox = createSandbox();
  const { state } = sandbox;
  expect(() => sandbox.reset(options as never)).toThrow(message);
  expect(sandbox.state).toBe(state);
});

test.each([5, null, undefined, {}])('a world has a name, not %j', (name) => {
  const sandbox = createSandbox();
  expect(() => sandbox.world(name as never)).toThrow(new RangeError('The name of a world must be a string'));
  expect(sandbox.worldNames()).toEqual(['']);
});

test('a fault with a misspelt property, a filter that is no object and a time as a string are invalid', () => {
  const { faults, log, clock } = createSandbox();
  expect(() => faults.add(unchecked({ status: 503, tims: 2 }))).toThrow(
    'fault: there is no property tims. Did you mean times?',
  );
  expect(() => faults.add(null as never)).toThrow(RangeError);
  expect(() => log.list(unchecked({ operatoin: 'getDeal' }))).toThrow(
    'There is no condition operatoin. Did you mean operation? The conditions are operation, ',
  );
  expect(() => log.list(null as never)).toThrow(new RangeError('A log filter must be an object'));
  expect(() => clock.freeze(String(Date.UTC(2030, 0)) as never)).toThrow(RangeError);
  expect(() => clock.advance('5' as never)).toThrow(RangeError);
});
