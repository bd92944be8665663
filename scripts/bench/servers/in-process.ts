import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { type BenchRequest, headers } from '../requests.ts';

/**
 * Measures how many requests per second a sandbox answers, one after the other, without a network.
 *
 * @param durations - of the warm-up and of each measurement, in milliseconds
 */
export async function createInProcessLoad(
  request: BenchRequest,
  durations = { warmUp: 1_000, measurement: 500 },
): Promise<() => Promise<number>> {
  const sandbox = createSandbox();
  await repeat(sandbox, request, durations.warmUp);
  return () => repeat(sandbox, request, durations.measurement);
}

/** Measures the milliseconds that a sandbox with so many contacts takes for a request. */
export async function createTimer(contacts: number): Promise<(request: BenchRequest) => Promise<number>> {
  const sandbox = createSandbox({ seed: contacts });
  return async (request) => {
    const started = performance.now();
    await send(sandbox, request);
    return performance.now() - started;
  };
}

async function repeat(sandbox: Sandbox, request: BenchRequest, duration: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < duration) {
    await send(sandbox, request);
    count += 1;
  }
  return (count * 1_000) / (performance.now() - started);
}

async function send(sandbox: Sandbox, { method, base, path, body }: BenchRequest): Promise<void> {
  const response = await sandbox.fetch(`https://sandbox.example.com${base}${path}`, {
    method,
    headers,
    body: body ?? null,
  });
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}`);
  await response.text();
}
