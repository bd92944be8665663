import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { exportContacts, openJobs } from '../../src/jobs/index.ts';
import { campaignSource } from '../../src/jobs/ready/campaign-source.ts';
import { createDatabase, missingPostgres, startPostgres } from './start-postgres.ts';

/** `npm run test:memory` sets it. */
const rows = Number(process.env.MEMORY_ROWS ?? 0);
const timeout = 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Takes the memory when a tenth and when everything is done. */
class Samples {
  readonly #all: number;
  readonly #taken: number[] = [];
  #count = 0;

  constructor(all: number) {
    this.#all = all;
  }

  next(): void {
    this.#count += 1;
    if (this.#count !== Math.floor(this.#all / 10) && this.#count !== this.#all) return;
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    this.#taken.push((heapUsed + arrayBuffers) / 1e6);
  }

  /** Megabytes that were added between a tenth and everything. */
  growth(what: string): number {
    const [first = Number.NaN, last = Number.NaN] = this.#taken;
    console.log(`${what}: ${first.toFixed(1)} MB after a tenth of ${this.#all}, ${last.toFixed(1)} MB at the end`);
    return last - first;
  }
}

/** A service with contacts that are all alike. */
function contactsService(count: number, samples: { planned: Samples; read: Samples }): typeof fetch {
  return async (url, init) => {
    const body = JSON.parse(String(init?.body ?? '{}'));
    if (!String(url).endsWith('/get-list')) {
      samples.read.next();
      return Response.json({ data: { id: Number(String(url).split('/').at(-1)), firstName: 'Ada' } });
    }
    const { offset = 0, limit = 100 } = body;
    const ids = Array.from({ length: Math.min(limit, count - offset) }, (_, index) => offset + index + 1);
    for (const _ of ids) samples.planned.next();
    return Response.json({ data: { list: ids.map((id) => ({ id })), total: count } });
  };
}

test.skipIf(missingPostgres || rows === 0)(
  'an export takes no more memory for many rows than for few, while it plans and while it works',
  { timeout },
  async () => {
    const postgres = await startPostgres({ fsync: false });
    onTestFinished(() => postgres.stop());
    const samples = { planned: new Samples(rows), read: new Samples(rows) };
    const jobs = await openJobs({
      database: await createDatabase(postgres.port),
      definitions: [exportContacts],
      client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: contactsService(rows, samples) },
    });
    onTestFinished(() => jobs.close());
    await jobs.plan(exportContacts, { name: 'all', options: {} });
    expect(samples.planned.growth('planning an export')).toBeLessThan(10);
    await jobs.work({ until: 'all' });
    expect(await jobs.status('all')).toMatchObject({ rows: { done: rows } });
    expect(samples.read.growth('working on an export')).toBeLessThan(10);
  },
);

test.skipIf(rows === 0)('a campaign to a million numbers remembers them in 30 MB', { timeout }, async () => {
  const phones = 1_000_000;
  const folder = await mkdtemp(join(tmpdir(), 'carillon-memory-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'phones.csv');
  const lines = function* () {
    yield 'phone\n';
    for (let phone = 0; phone < phones; phone += 1) yield `+${4_915_550_000_000 + phone * 37}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const message = { message_type: 2, sender_id: 5, message_live_time: 60, send_date: 'now', message: 'Hi' } as const;
  const samples = new Samples(phones);
  for await (const { values } of campaignSource({ file, title: 'Autumn', message }).rows()) {
    for (const _ of values.recipients) samples.next();
  }
  expect(samples.growth('planning a campaign')).toBeLessThan(30);
});
