import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/shared/server/serve.ts';
import { amounts } from '../support/amounts.ts';
import { deal } from './raw.ts';
import { start } from './support.ts';

/** Requests over each of 50 connections. */
const requestsOfEach = amounts.faultyRequests;

test('50 connections get no error beyond the faults', async () => {
  const { sandbox } = start({ control: true });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const { requests, explained, unexpected } = await sendFaultyLoad(server.url, 50, requestsOfEach);
  expect(unexpected).toBe(0);
  expect(explained).toBeGreaterThan(0);
  expect(explained).toBeLessThan(requests / 4);
}, 120_000);

const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const plenty = 10_000_000;
/** The first that matches a request applies. */
const faults = [
  { probability: 0.02, randomSeed: 1, drop: 'after', times: plenty },
  { probability: 0.05, randomSeed: 2, status: 503, times: plenty },
  { probability: 0.1, randomSeed: 3, delay: 1, times: plenty },
] as const;

interface FaultyLoad {
  requests: number;
  /** Responses and failures that a fault explains. */
  explained: number;
  /** Responses and failures that no fault explains, and faults that had no effect. */
  unexpected: number;
}

/**
 * Writes over many connections to a sandbox with faults, and counts what the faults do not explain.
 *
 * @param url - of a sandbox with control and without faults
 */
async function sendFaultyLoad(url: string, connections: number, each: number): Promise<FaultyLoad> {
  const control = `${url}/__sandbox/faults`;
  for (const fault of faults) await fetch(control, { method: 'POST', body: JSON.stringify(fault) });
  const counts = { success: 0, 503: 0, dropped: 0, other: 0 };
  const write = async (): Promise<void> => {
    for (let sent = 0; sent < each; sent += 1) {
      const response = await fetch(`${url}/crm/v1/deals`, {
        method: 'POST',
        headers,
        body: JSON.stringify(deal),
      }).catch(() => undefined);
      await response?.text();
      counts[!response ? 'dropped' : response.ok ? 'success' : response.status === 503 ? 503 : 'other'] += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, write));
  const left: { times: number }[] = await (await fetch(control)).json();
  const [dropped = 0, rejected = 0] = left.map(({ times }) => plenty - times);
  const explained = counts.dropped + counts[503];
  return {
    requests: counts.success + explained + counts.other,
    explained,
    unexpected: counts.other + Math.abs(counts.dropped - dropped) + Math.abs(counts[503] - rejected),
  };
}
