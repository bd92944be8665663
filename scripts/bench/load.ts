import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { type BenchRequest, headers } from './requests.ts';

const run = promisify(execFile);
const autocannon = createRequire(import.meta.url).resolve('autocannon');

const connections = 10;
const seconds = 2;
const warmUpSeconds = 3;
const briefWarmUpSeconds = 1;

/**
 * Requests per second of each request, sent again and again over ten connections from a process of its own. Every answer
 * must be a success. A server is warm before it counts: the compiler needs some seconds for its first request, and less
 * for the next ones.
 */
export async function measureThroughput(url: string, requests: BenchRequest[]): Promise<number[]> {
  const figures: number[] = [];
  for (const request of requests) {
    const address = url + (await findPath(url, request));
    await send(address, request, figures.length === 0 ? warmUpSeconds : briefWarmUpSeconds);
    figures.push(await send(address, request, seconds));
  }
  return figures;
}

/** Prism knows the paths without the base that the operation's server gives them. */
async function findPath(url: string, { method, base, path, body }: BenchRequest): Promise<string> {
  for (const candidate of [base + path, path]) {
    const init = { method, headers, body: body ?? null, signal: AbortSignal.timeout(5_000) };
    const response = await fetch(url + candidate, init);
    await response.text();
    if (response.ok) return candidate;
  }
  throw new Error(`${url} does not answer ${method} ${path} with a success`);
}

async function send(address: string, { method, body }: BenchRequest, duration: number): Promise<number> {
  const args = ['--json', '--no-progress', '--connections', `${connections}`, '--duration', `${duration}`];
  for (const [name, value] of Object.entries(headers)) args.push('--headers', `${name}=${value}`);
  args.push('--method', method, ...(body === undefined ? [] : ['--body', body]), address);
  const { stdout } = await run(process.execPath, [autocannon, ...args], { timeout: (duration + 10) * 1_000 });
  const result: { requests: { average: number }; non2xx: number; errors: number } = JSON.parse(stdout);
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} requests of ${method} ${address} failed`);
  return result.requests.average;
}
