/** A service in its own process, which responds to each request after a delay and reports when the requests arrived. `parts/jobs.ts` starts it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Mean time until a response, in milliseconds. Resets the times of the requests. */
export type ServiceTask = { delay: number } | 'times';

const record = JSON.stringify({ data: { id: 1 } });
let delay = 0;
let times: number[] = [];

const server = createServer(async (request, response) => {
  times.push(performance.now());
  for await (const _ of request);
  // Between half and one and a half times the mean, in the same order in each run.
  if (delay > 0) await sleep(delay * (0.5 + ((times.length * 7) % 10) / 9));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': record.length }).end(record);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(port);
});
process.on('message', (task: ServiceTask) => {
  if (task === 'times') {
    process.send?.(times);
    return;
  }
  delay = task.delay;
  times = [];
  process.send?.('ready');
});
process.on('disconnect', () => process.exit());
