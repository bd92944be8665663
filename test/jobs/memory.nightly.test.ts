import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, inject, onTestFinished, test } from 'vitest';
import {
  exportContacts,
  type JobDefinition,
  type Jobs,
  openJobs,
  sendCampaign,
  sendEmails,
} from '../../src/jobs/index.ts';
import { amounts } from '../support/amounts.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const rows = amounts.memoryRows;
const timeout = 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Samples the memory in use after a tenth and at the end. */
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

  /** Growth in megabytes between the two samples. */
  growth(what: string): number {
    const [first = Number.NaN, last = Number.NaN] = this.#taken;
    const resident = process.resourceUsage().maxRSS / 1e3;
    console.log(
      `${what}: ${first.toFixed(1)} MB in use after a tenth of ${this.#all}, ${last.toFixed(1)} MB at the end, at most ${resident.toFixed(0)} MB resident with the test`,
    );
    return last - first;
  }
}

/** A service with identical contacts. */
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

test.skipIf(missingPostgres)(
  "an export's memory does not grow with the number of rows, in planning or in work",
  { timeout },
  async () => {
    const samples = { planned: new Samples(rows), read: new Samples(rows) };
    const jobs = await openJobs({
      database: await createDatabase(inject('postgresPort')),
      definitions: [exportContacts],
      client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: contactsService(rows, samples) },
      folder: temporaryFolder(),
    });
    onTestFinished(() => jobs.close());
    await jobs.plan(exportContacts, { name: 'all', options: {} });
    expect(samples.planned.growth('planning an export')).toBeLessThan(10);
    await jobs.work({ until: 'all' });
    expect(await jobs.status('all')).toMatchObject({ rows: { done: rows } });
    expect(samples.read.growth('working on an export')).toBeLessThan(10);
  },
);

/** Writes a temporary file and returns its path. */
async function writeLines(name: string, header: string, count: number, line: (index: number) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-memory-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  const lines = function* () {
    yield `${header}\n`;
    for (let index = 0; index < count; index += 1) yield `${line(index)}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return file;
}

/** Plans a job and returns the seconds that it took. `count` returns the number of samples for a row. */
async function plan<Values, Options>(
  job: JobDefinition<Values, Options>,
  options: Options,
  { samples, count, service = fetch }: { samples: Samples; count(values: Values): number; service?: typeof fetch },
): Promise<{ seconds: number; jobs: Jobs }> {
  const measured: JobDefinition<Values, Options> = {
    ...job,
    async source(given, context) {
      const source = await job.source(given, context);
      return {
        checksum: () => source.checksum(),
        async *rows(notes) {
          for await (const row of source.rows(notes)) {
            yield row;
            for (let index = count(row.values); index > 0; index -= 1) samples.next();
          }
        },
      };
    },
  };
  const jobs = await openJobs({
    database: await createDatabase(inject('postgresPort')),
    definitions: [measured as JobDefinition],
    client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: service },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  const begun = performance.now();
  await jobs.plan(measured, { options });
  return { seconds: (performance.now() - begun) / 1_000, jobs };
}

const million = 1_000_000;
const longTest = test.skipIf(missingPostgres);

longTest(
  'planning a campaign to a million numbers uses constant memory, and takes at most a minute',
  { timeout },
  async () => {
    const file = await writeLines('phones.csv', 'phone', million, (phone) => `+${4_915_550_000_000 + phone * 37}`);
    const message = { message_type: 2, sender_id: 5, message_live_time: 60, send_date: 'now', message: 'Hi' } as const;
    const samples = new Samples(million);
    const given = { samples, count: ({ recipients }: { recipients: string[] }) => recipients.length };
    const { seconds } = await plan(sendCampaign, { file, title: 'Autumn', message }, given);
    console.log(`a campaign to a million numbers is planned in ${seconds.toFixed(0)} seconds`);
    expect(samples.growth('planning a campaign')).toBeLessThan(10);
    expect(seconds).toBeLessThan(60);
  },
);

longTest('emails need no more memory with an unsubscribe list of a million addresses', { timeout }, async () => {
  const file = await writeLines('people.csv', 'email', rows, (index) => `person-${index * 2}@example.com`);
  const from = { name: 'Example Sales', email: 'sales@example.com' };
  // Counts every address of the list, and every row.
  const samples = new Samples(million + rows);
  const size = 1_000;
  const service: typeof fetch = async (url) => {
    const offset = Number(new URL(String(url)).searchParams.get('offset') ?? 0);
    const count = Math.min(size, million - offset);
    for (let index = 0; index < count; index += 1) samples.next();
    return Response.json(
      Array.from({ length: Math.max(0, count) }, (_, index) => ({ email: `Person-${offset + index}@example.com` })),
    );
  };
  const message = { subject: 'Renewal', from, html: '<p>Hello</p>', text: 'Hello' };
  const { jobs } = await plan(sendEmails, { file, message }, { samples, count: () => 1, service });
  await jobs.work({ until: 'send-emails' });
  expect(samples.growth('planning emails, and reading the list')).toBeLessThan(10);
  expect((await jobs.status('send-emails')).rows.invalid).toBe(Math.min(rows, million / 2));
});
