import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { type BenchRequest, headers } from './requests.ts';

const warmUpMilliseconds = 300;
const milliseconds = 1_000;
const listRuns = 15;

/** Requests that a sandbox answers in a second, one after the other, without a network. */
export async function measureInProcess(request: BenchRequest): Promise<number> {
  const sandbox = createSandbox();
  await repeat(sandbox, request, warmUpMilliseconds);
  return repeat(sandbox, request, milliseconds);
}

/** For each request: the median of the milliseconds that a sandbox with so many contacts takes. */
export async function measureLists(contacts: number, requests: BenchRequest[]): Promise<number[]> {
  const sandbox = createSandbox({ seed: contacts });
  const medians: number[] = [];
  for (const request of requests) {
    const times: number[] = [];
    for (let turn = 0; turn < listRuns; turn += 1) {
      const started = performance.now();
      await send(sandbox, request);
      times.push(performance.now() - started);
    }
    medians.push(times.sort((a, b) => a - b)[Math.floor(listRuns / 2)] ?? Number.NaN);
  }
  return medians;
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
