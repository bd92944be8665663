import { join } from 'node:path';
import { type BenchRequest, headers } from '../requests.ts';
import { benchFolder, runCommand } from '../run-peer.ts';

const autocannon = join(benchFolder, 'node_modules', 'autocannon', 'autocannon.js');

const connections = 10;

/** What a server did with one kind of request. */
export interface Load {
  requestsPerSecond: number;
  /** Milliseconds in which 99 of 100 requests were answered. */
  p99: number;
}

/**
 * Sends a request again and again over ten connections, from a process of its own. Every answer must be a success.
 *
 * @param address - with the path, see `findAddress`
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

/** The address of an operation on a server. Some servers leave out the base path of the operation. */
export async function findAddress(url: string, request: BenchRequest): Promise<string> {
  for (const candidate of [request.base + request.path, request.path]) {
    if ((await sendOnce(url + candidate, request)).ok) return url + candidate;
  }
  throw new Error(`${url} does not answer ${request.method} ${request.path} with a success`);
}

/** Whether a body with none of its fields is refused. */
export async function checksBodies(address: string, request: BenchRequest): Promise<boolean> {
  return !(await sendOnce(address, { ...request, body: '{}' })).ok;
}

async function sendOnce(address: string, { method, body }: BenchRequest): Promise<Response> {
  const response = await fetch(address, { method, headers, body: body ?? null, signal: AbortSignal.timeout(10_000) });
  await response.text();
  return response;
}
