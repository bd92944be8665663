import { expect, onTestFinished, test } from 'vitest';
import { sendFaultyLoad } from '../../scripts/bench/servers/faulty-load.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { start } from './support.ts';

/** Duration of the load in seconds: 60 in `npm run test:nightly`. */
const seconds = Number(process.env.FAULTS_SECONDS ?? 0.5);

test('50 connections get no error beyond the faults', async () => {
  const { sandbox } = start({ control: true });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const { requests, explained, unexpected } = await sendFaultyLoad(server.url, 50, seconds);
  expect(unexpected).toBe(0);
  expect(explained).toBeGreaterThan(0);
  expect(explained).toBeLessThan(requests / 4);
}, 120_000);
