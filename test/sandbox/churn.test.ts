import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { amounts } from '../support/amounts.ts';
import { send } from './raw.ts';

const pairs = amounts.churnPairs;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('contacts that are created and deleted again leave no memory behind', { timeout: 1_200_000 }, async () => {
  const sandbox = createSandbox();
  const liveMegabytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  let early = 0;
  for (let done = 0; done < pairs; done += 1) {
    const created = await send(sandbox, 'POST /crm/v1/contacts', {
      body: { responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' },
    });
    const { data } = await created.json();
    const deleted = await send(sandbox, `DELETE /crm/v1/contacts/${data.id}`);
    expect([created.ok, deleted.ok]).toEqual([true, true]);
    if (done === Math.floor(pairs / 3)) early = liveMegabytes();
  }
  expect(liveMegabytes()).toBeLessThan(1.1 * early);
});
