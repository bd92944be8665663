/** Measures all clients on one kind of call, in turn, in this process. Prints microseconds per call as JSON. */
import { Bench } from 'tinybench';
import { interleave } from '../interleave.ts';
import type { CallTask, CallTimes } from '../parts/calls.ts';
import { contactsResponse, dealResponse, responseBytes } from '../responses/responses.ts';
import { clients } from './clients.ts';

/** Long enough for the clock's resolution, short enough for many turns. */
const turnMilliseconds = 25;
/** Fewer than 6 rounds have no interval. */
const minRounds = 9;
const maxRounds = 251;

const { surroundings, call: kind, inProcess, inFlight, seconds }: CallTask = JSON.parse(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json' };
const response = kind === 'deal' ? dealResponse(responseBytes.deal) : contactsResponse(responseBytes.contacts);
const fetch = inProcess ? async () => new Response(response, { headers }) : undefined;

const turns: Record<string, () => Promise<number>> = {};
for (const [name, create] of Object.entries(clients)) {
  const call = create({ ...surroundings, ...(fetch && { fetch }) })[kind];
  if (!(await call())) throw new Error(`${name} returned no payload`);
  const callAll = inFlight === 1 ? call : () => Promise.all(Array.from({ length: inFlight }, call));
  await time(callAll, (seconds * 1_000) / 80);
  turns[name] = async () => ((await time(callAll, turnMilliseconds)) * 1_000) / inFlight;
}
// A turn of slow calls takes longer than its 25 ms.
const started = performance.now();
await interleave(turns, 1);
const rounds = Math.round((seconds * 1_000) / (performance.now() - started));
const times: CallTimes = await interleave(turns, Math.min(maxRounds, Math.max(minRounds, rounds)));
console.log(JSON.stringify(times));

/** The mean milliseconds per call of a function that runs repeatedly for this time. */
async function time(run: () => Promise<unknown>, milliseconds: number): Promise<number> {
  const bench = new Bench({ time: milliseconds, iterations: 1, warmup: false, throws: true }).add('calls', run);
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error('tinybench did not complete');
  return task.result.latency.mean;
}
