import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { amounts } from '../support/amounts.ts';
import { send } from './raw.ts';

const pairs = amounts.churnPairs;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapInMegabytes(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

test('contacts that are created and deleted again leave no memory behind', { timeout: 1_200_000 }, async () => {
  const sandbox = createSandbox();
  let early = 0;
  for (let done = 0; done < pairs; done += 1) {
    const created = await send(sandbox, 'POST /crm/v1/contacts', {
      body: { responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' },
    });
    const { data } = await created.json();
    const deleted = await send(sandbox, `DELETE /crm/v1/contacts/${data.id}`);
    expect([created.ok, deleted.ok]).toEqual([true, true]);
    if (done === Math.floor(pairs / 3)) early = heapInMegabytes();
  }
  expect(heapInMegabytes()).toBeLessThan(1.1 * early);
});

test('large bodies leave no trace in memory: 20 requests of 5 MB', async () => {
  const sandbox = createSandbox();
  const file = 'QUJD'.repeat(1_250_000);
  const ask = async (index: number): Promise<void> => {
    const body = `{"file":"${index} ${file}"}`;
    expect((await send(sandbox, 'POST /crm/v1/deals/get-list', { body })).status).toBe(200);
  };
  // The first request compiles code, which stays in memory.
  await ask(0);
  const before = heapInMegabytes();
  for (let index = 1; index <= 20; index += 1) await ask(index);
  // A tenth of the bytes sent.
  expect(heapInMegabytes() - before).toBeLessThan(10);
});
