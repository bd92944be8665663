/** One of many processes that share tokens: does what its parent says, and ends with it. */
import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { createClient, type TokenStore } from '../../src/index.ts';
import { type Command, commandSchema, type Report } from './messages.ts';

// A clock of its own, for client and store alike: a token's life passes without waiting.
const realNow = Date.now;
let ahead = 0;
Date.now = () => realNow() + ahead;
const realElapsed = performance.now.bind(performance);
performance.now = () => realElapsed() + ahead;

let warnings: string[] = [];
let redis: KeyvRedis<unknown> | undefined;
let written: Promise<unknown> | undefined;
let api: ReturnType<typeof createClient> | undefined;

async function connect({ baseUrl, redisUrl }: NonNullable<Command['connect']>): Promise<void> {
  // By force: a Redis that has ended would never answer a farewell.
  await redis?.disconnect(true);
  ahead = 0;
  written = undefined;
  // A list of its own: the client before this one may still warn.
  const own: string[] = [];
  warnings = own;
  redis = new KeyvRedis(redisUrl, { throwOnErrors: true });
  const keyv = new Keyv(redis, { throwOnErrors: true });
  const tokenStore: TokenStore = {
    get: (key) => keyv.get(key),
    set: (...entry) => {
      written = keyv.set(...entry);
      return written;
    },
    delete: (key) => keyv.delete(key),
  };
  api = createClient({
    baseUrl,
    auth: { clientId: 'id', clientSecret: 'client-s3cret', tokenStore },
    // A failure is not to be hidden by a later try.
    maxRetries: 0,
    logger: { warn: (message) => own.push(message) },
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
  if (command.settle) await Promise.allSettled([written]);
  return { failures, warnings: warnings.splice(0) };
}

process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  process.send?.(await run(commandSchema.parse(message)));
});
