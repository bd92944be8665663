/** Measures every client on one kind of call, in turn, in this process alone; prints microseconds per call as JSON. */
import { interleave } from '../interleave.ts';
import { contactsReply, dealReply, replyBytes } from '../replies/replies.ts';
import type { CallTask, CallTimes } from '../tasks.ts';
import { clients } from './clients.ts';

/** Long enough for the clock, short enough for many turns. */
const turnMicroseconds = 25_000;
/** Fewer than 6 rounds have no interval. */
const fewestRounds = 9;
const mostRounds = 251;

const { surroundings, call: kind, inProcess, inFlight, seconds }: CallTask = JSON.parse(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json' };
const reply = kind === 'deal' ? dealReply(replyBytes.deal) : contactsReply(replyBytes.contacts);
const fetch = inProcess ? async () => new Response(reply, { headers }) : undefined;
const warmUpMicroseconds = (seconds * 1_000_000) / 80;

const turns: Record<string, () => Promise<number>> = {};
let roundMicroseconds = 0;
for (const [name, create] of Object.entries(clients)) {
  const call = create({ ...surroundings, ...(fetch && { fetch }) })[kind];
  if (!(await call())) throw new Error(`${name} gives no payload`);
  const perCall = await warmUp(call);
  const count = Math.max(inFlight, Math.round(turnMicroseconds / perCall));
  turns[name] = async () => (await measure(call, count)) / count;
  roundMicroseconds += perCall * count;
}
const rounds = Math.round((seconds * 1_000_000) / roundMicroseconds);
const times: CallTimes = await interleave(turns, Math.min(mostRounds, Math.max(fewestRounds, rounds)));
console.log(JSON.stringify(times));

/** Doubles the number of calls until they take long enough. Returns the microseconds per call of the last round. */
async function warmUp(call: () => Promise<unknown>): Promise<number> {
  for (let count = inFlight; ; count *= 2) {
    const microseconds = await measure(call, count);
    if (microseconds >= warmUpMicroseconds) return microseconds / count;
  }
}

/** Microseconds that so many calls take. */
async function measure(call: () => Promise<unknown>, count: number): Promise<number> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  return (performance.now() - started) * 1_000;
}
