/** One of many processes that share tokens. Runs its parent's commands, and ends with it. */
import { setImmediate } from 'node:timers/promises';
import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { createClient, type TokenStore } from '../../../src/client/index.ts';
import { type Command, commandSchema, type Report } from './messages.ts';

// A clock shared by client and store, to pass a token's life without waiting.
const realNow = Date.now;
let ahead = 0;
Date.now = () => realNow() + ahead;
const realElapsed = performance.now.bind(performance);
performance.now = () => realElapsed() + ahead;

let warnings: string[] = [];
let redis: { url: string; adapter: KeyvRedis<unknown> } | undefined;
/** Pending work with the store and the service, including background work. */
const open = new Set<Promise<unknown>>();
let api: ReturnType<typeof createClient> | undefined;

function track<T>(action: Promise<T>): Promise<T> {
  const end = (): boolean => open.delete(action);
  open.add(action);
  action.then(end, end);
  return action;
}

/** One adapter for each Redis, because making one takes longer than a call. */
async function reachRedis(url: string): Promise<KeyvRedis<unknown>> {
  if (redis?.url === url) return redis.adapter;
  // Forced, because a Redis that has ended would never answer.
  await redis?.adapter.disconnect(true);
  redis = { url, adapter: new KeyvRedis(url, { throwOnErrors: true }) };
  return redis.adapter;
}

async function connect({ baseUrl, redisUrl }: NonNullable<Command['connect']>): Promise<void> {
  ahead = 0;
  // A new list, because the previous client may still warn.
  const own: string[] = [];
  warnings = own;
  const keyv = new Keyv(await reachRedis(redisUrl), { throwOnErrors: true });
  const tokenStore: TokenStore = {
    get: (key) => track(keyv.get(key)),
    set: (...entry) => track(keyv.set(...entry)),
    delete: (key) => track(keyv.delete(key)),
  };
  api = createClient({
    baseUrl,
    auth: { clientId: 'id', clientSecret: 'client-s3cret', tokenStore },
    // A later try must not hide a failure.
    maxRetries: 0,
    logger: { warn: (message) => own.push(message) },
    fetch: (url, init) => track(fetch(url, init)),
  });
}

async function call(): Promise<void> {
  if (!api) throw new Error('Connect first');
  await api.crm.deals.get({ dealId: 501 });
}

async function run(command: Command): Promise<Report> {
  if (command.connect) await connect(command.connect);
  ahead += command.advance ?? 0;
  const results = await Promise.allSettled(Array.from({ length: command.calls ?? 0 }, call));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  while (command.settle && open.size > 0) {
    await Promise.allSettled(open);
    await setImmediate();
  }
  return { failures, warnings: warnings.splice(0) };
}

process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  process.send?.(await run(commandSchema.parse(message)));
});
