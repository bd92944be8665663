import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { Workload } from '../../src/sandbox/workload.ts';
import { deal, send } from './raw.ts';

test('a world waits for a turn after a request that took long, and before a large body', async () => {
  const workload = new Workload();
  expect(workload.begin(1_000)).toBeUndefined();
  workload.end(50);
  expect(workload.begin(0)).toBeInstanceOf(Promise);
  workload.end(1);
  expect(workload.begin(0)).toBeUndefined();
  expect(workload.begin(1_000_000)).toBeInstanceOf(Promise);
});

/** The order in which 20 large requests of one key and a small one of another are answered. */
async function order(sandbox: Sandbox): Promise<string[]> {
  const answered: string[] = [];
  const body = { ...deal, own: 'x'.repeat(100_000) };
  const large = Array.from({ length: 20 }, () =>
    send(sandbox, 'POST /crm/v1/deals', { token: 'ann', body }).then(() => answered.push('large')),
  );
  const small = send(sandbox, 'GET /crm/v1/deals/501', { token: 'ben' }).then(() => answered.push('small'));
  await Promise.all([...large, small]);
  return answered;
}

test('a small request of another key does not wait for the large ones that arrived before it', async () => {
  const sandbox = createSandbox({ worlds: 'credential' });
  for (const token of ['ann', 'ben']) await send(sandbox, 'DELETE /crm/v1/deals/9', { token });
  expect((await order(sandbox)).indexOf('small')).toBeLessThan(3);
});
