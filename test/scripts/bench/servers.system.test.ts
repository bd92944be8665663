import { expect, onTestFinished, test } from 'vitest';
import { requestOf } from '../../../scripts/bench/requests.ts';
import { createInProcessLoad } from '../../../scripts/bench/servers/in-process.ts';
import { measureLists } from '../../../scripts/bench/servers/lists.ts';
import { checksBodies, findAddress, sendLoad } from '../../../scripts/bench/servers/load.ts';
import { startSandbox } from '../../../scripts/bench/servers/targets.ts';

test('a server is found, checked and measured, and every answer was a success', async () => {
  const { url, stop } = await startSandbox();
  onTestFinished(stop);
  const create = requestOf('createDeal');
  const address = await findAddress(url, create);
  expect(await checksBodies(address, create)).toBe(true);
  const load = await sendLoad(address, create, 1);
  expect(load).toEqual({ requestsPerSecond: expect.any(Number), p99: expect.any(Number) });
  expect(load.requestsPerSecond).toBeGreaterThan(0);
  await expect(sendLoad(`${address}/none`, create, 0.5)).rejects.toThrow(/requests of POST .* failed/);
  await expect(findAddress(url, { ...create, path: '/none' })).rejects.toThrow('does not answer POST /none');
});

test('the sandbox is measured in process too', async () => {
  const measure = await createInProcessLoad(requestOf('getDeal'), { warmUp: 10, measurement: 50 });
  expect(await measure()).toBeGreaterThan(0);
});

test('each documented list of contacts is measured at each size', async () => {
  const { table } = await measureLists(true);
  expect(table.columns.map(({ title }) => title)).toEqual(['100 contacts', '10,000 contacts']);
  for (const { cells } of table.rows) expect(cells.every((cell) => 'median' in cell)).toBe(true);
});
