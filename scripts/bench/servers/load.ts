import { join } from 'node:path';
import { type BenchRequest, headers } from '../requests.ts';
import { benchFolder, runCommand } from '../run-peer.ts';

const autocannon = join(benchFolder, 'node_modules', 'autocannon', 'autocannon.js');

const connections = 10;

/** The result of sending one kind of request to a server. */
export interface Load {
  requestsPerSecond: number;
  /** 99th percentile of the response time, in milliseconds. */
  p99: number;
}

/**
 * Sends a request repeatedly over ten connections, from a separate process. Every response must be a success.
 *
 * @param address - URL with the path, see `findAddress`
 */
export async function sendLoad(address: string, { method, body }: BenchRequest, seconds: number): Promise<Load> {
  const args = ['--json', '--no-progress', '--connections', `${connections}`, '--duration', `${seconds}`];
  for (const [name, value] of Object.entries(headers)) args.push('--headers', `${name}=${value}`);
  args.push('--method', method, ...(body === undefined ? [] : ['--body', body]), address);
  const printed = await runCommand(process.execPath, [autocannon, ...args], process.cwd());
  const result: { requests: { average: number }; latency: { p99: number }; non2xx: number; errors: number } =
    JSON.parse(printed);
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} requests of ${method} ${address} failed`);
  return { requestsPerSecond: result.requests.average, p99: result.latency.p99 };
}

/** The URL of an operation on a server. Some servers omit the operation's base path. */
export async function findAddress(url: string, request: BenchRequest): Promise<string> {
  for (const candidate of [request.base + request.path, request.path]) {
    if ((await sendOnce(url + candidate, request)).ok) return url + candidate;
  }
  throw new Error(`${url} does not respond to ${request.method} ${request.path} with a success`);
}

/** Whether the server rejects an empty body. */
export async function checksBodies(address: string, request: BenchRequest): Promise<boolean> {
  return !(await sendOnce(address, { ...request, body: '{}' })).ok;
}

async function sendOnce(address: string, { method, body }: BenchRequest): Promise<Response> {
  const response = await fetch(address, { method, headers, body: body ?? null, signal: AbortSignal.timeout(10_000) });
  await response.text();
  return response;
}
