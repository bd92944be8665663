import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { numbers, over } from './paged-client.ts';

test('memory stays constant over 400,000 items', { timeout: 120_000 }, async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = runInNewContext('gc');
  if (typeof collectGarbage !== 'function') return expect.unreachable();
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const size = 10_000;
  const { api, asked } = over(({ url }) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return numbers(offset, Math.min(size, 400_000 - offset));
  });
  let count = 0;
  let early = 0;
  for await (const _ of api.email.messages.list({ limit: size })) {
    count += 1;
    if (count === 100_000) early = held();
  }
  expect([count, asked.length]).toEqual([400_000, 41]);
  // Keeping the other 300,000 items would take about 17 MB.
  expect(held() - early).toBeLessThan(5_000_000);
});
