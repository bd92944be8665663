import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { Connection, ConnectOptions } from '../../../src/cli/catalogue/index.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { patience } from '../../../src/cli/command/each/file-job.ts';
import { takesRows } from '../../../src/cli/command/each/flags.ts';
import { RowProgress } from '../../../src/cli/command/each/progress.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { kebab } from '../../../src/cli/command/names.ts';
import type { createClient } from '../../../src/client/client.ts';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { shortest } from '../../../src/jobs/define-job.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { createSocketFile } from '../../support/socket-file.ts';
import { carillon, type Ran, type Surroundings } from '../../support/terminal.ts';

// Tests cannot wait for the deadlines that users need.
shortest.deadline = 0;
Object.assign(patience, { look: 20, silence: 2_000 });

const root = mkdtempSync(join(tmpdir(), 'carillon-each-test-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

const baseUrl = 'https://api.example.com';
type Fetch = NonNullable<Parameters<typeof createClient>[0]['fetch']>;

/** A sandbox service, and the bodies of the requests that it received. */
function service(answer?: (url: string, body: string, forward: () => Promise<Response>) => Promise<Response>) {
  const sandbox = createSandbox();
  const bodies: Record<string, unknown>[] = [];
  const fetch: Fetch = async (url, init) => {
    const body = typeof init.body === 'string' ? init.body : '';
    if (init.method !== 'GET' && !/\/contacts$/.test(String(url))) bodies.push(body === '' ? {} : JSON.parse(body));
    const forward = async (): Promise<Response> => sandbox.fetch(url, init);
    return answer ? answer(String(url), body, forward) : forward();
  };
  const connect = async ({ options }: ConnectOptions): Promise<Connection> =>
    connectionTo({ ...options, baseUrl, auth: { apiKey: 'any' }, maxRetries: 0, timeout: 500, fetch });
  return { sandbox, bodies, connect };
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const people = 'key,first_name,last_name\nc-1,Ada,Adler\nc-2,Bela,Boros\nc-3,Carl,Costa\n';

function create(file: string, surroundings: Surroundings, ...more: string[]): Promise<Ran> {
  return carillon(['crm', 'contacts', 'create', '--each', file, '--responsible-id', '77', ...more], surroundings);
}

describe('carillon … --each', () => {
  it('sends the other rows of a file with one that is nested too deeply, or has a name that no value can have', async () => {
    const { bodies, ...surroundings } = service();
    const deep = `{"lastName":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const file = write('deep.ndjson', `{"firstName":"A"}\n${deep}\n{"firstName":"B"}\n`);
    const { code, errors } = await create(file, surroundings);
    expect([code, errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining('line 2: the values are nested more than 32 levels deep.'),
    ]);
    expect(bodies.map(({ firstName }) => firstName)).toEqual(['A', 'B']);
    const own = write('own.ndjson', '{"firstName":"C","__proto__":{"a":1}}\n');
    expect((await create(own, surroundings)).errors).toContain('has no parameter __proto__');
    const column = write('own.csv', 'firstName,set.__proto__\nD,1\n');
    expect((await create(column, surroundings)).errors).toContain('has no parameter for the column');
    expect(bodies).toHaveLength(2);
  });

  it('calls the method once per row, and skips done rows in later runs, even in another order', async () => {
    const { bodies, connect } = service();
    const file = write('contacts.csv', people);
    const first = await create(file, { connect }, '--output', 'csv');
    expect([first.code, first.errors]).toEqual([0, expect.stringContaining('3 done.')]);
    expect(first.output).toMatch(/^line,key,id\r\n2,c-1,\d+\r\n3,c-2,\d+\r\n4,c-3,\d+\r\n$/);
    write('contacts.csv', 'last_name,key,first_name\nCosta,c-3,Carl\nDuda,c-4,Dana\nAdler,c-1,Ada\n');
    const second = await create(file, { connect });
    expect([second.code, second.errors]).toEqual([0, expect.stringContaining('1 done, 2 done in earlier runs.')]);
    expect(bodies.map(({ firstName }) => firstName)).toEqual(['Ada', 'Bela', 'Carl', 'Dana']);
  });

  it('recognizes rows without a key by their content, even duplicates', async () => {
    const { bodies, connect } = service();
    const file = write('contacts.csv', 'first_name,last_name\nAda,Adler\nAda,Adler\nBela,Boros\n');
    await create(file, { connect });
    write('contacts.csv', 'last_name,first_name\nBoros,Bela\nAdler,Ada\nCosta,Carl\nAdler,Ada\n');
    expect((await create(file, { connect })).errors).toContain('1 done, 3 done in earlier runs.');
    expect(bodies.map(({ firstName }) => firstName)).toEqual(['Ada', 'Ada', 'Bela', 'Carl']);
  });

  it('writes rejected rows with line, key and reason to a file that can be corrected and sent', async () => {
    const { bodies, connect } = service(async (_, body, forward) =>
      body.includes('Bela') ? Response.json({ message: 'no' }, { status: 422 }) : forward(),
    );
    const file = write('contacts.csv', people);
    const first = await create(file, { connect });
    const rejected = `${file}.rejected.csv`;
    expect([first.code, first.errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining(`2 done, 1 rejected (${rejected}).`),
    ]);
    expect(readFileSync(rejected, 'utf8')).toMatch(/^line,key,reason,first_name,last_name\n3,c-2,no,Bela,Boros\n$/);
    expect(statSync(rejected).mode & 0o777).toBe(0o600);
    writeFileSync(rejected, readFileSync(rejected, 'utf8').replace('Bela', 'Bella'));
    const second = await create(rejected, { connect });
    expect([second.code, second.errors]).toEqual([0, expect.stringContaining('1 done.')]);
    // The original file counts the corrected row as done.
    expect((await create(file, { connect })).errors).toContain('0 done, 3 done in earlier runs.');
    expect(bodies).toHaveLength(4);
  });

  it.skipIf(process.platform === 'win32')('keeps the folder of its job private', async () => {
    const { connect } = service();
    const file = write('contacts.csv', people);
    await create(file, { connect });
    expect(statSync(`${file}.jobs`).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).sort()).toEqual(['contacts.csv', 'contacts.csv.jobs']);
  });

  it.skipIf(process.platform === 'win32').each([
    ['--data', 'folder'],
    ['--rejected', 'file'],
  ])('does not accept %s with a device, and leaves it', async (flag, kind) => {
    const { connect, bodies } = service(async () => Response.json({}, { status: 422 }));
    const file = write('contacts.csv', people);
    const socket = join(folder, `socket${flag}`);
    await createSocketFile(socket);
    chmodSync(socket, 0o666);
    const { code, errors } = await create(file, { connect }, flag, socket);
    expect([code, errors]).toEqual([exitCodes.usage, expect.stringContaining(`${socket} is not a ${kind}`)]);
    expect([statSync(socket).mode & 0o777, statSync(socket).isSocket(), bodies]).toEqual([0o666, true, []]);
  });

  it('keeps an edited file of rejected rows', async () => {
    const { connect } = service(async () => Response.json({}, { status: 422 }));
    const file = write('contacts.csv', people);
    await create(file, { connect });
    writeFileSync(`${file}.rejected.csv`, 'edited');
    const again = await create(file, { connect });
    expect(again.errors).toContain(`was renamed to ${file}.rejected.csv.1`);
    expect(readFileSync(`${file}.rejected.csv.1`, 'utf8')).toBe('edited');
    await create(file, { connect });
    expect(existsSync(`${file}.rejected.csv.2`)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it.each([
    [
      'an unknown column',
      'key,frist_name\na,Ada\n',
      'no parameter for the column "frist_name". Did you mean firstName?',
    ],
    ['an unknown key column', 'first_name\nAda\n', '--key names the column id, but', '--key', 'id'],
    ['a column twice', 'first_name,firstName\nAda,Ada\n', 'firstName sets the same parameter as another column'],
    ['a damaged line', 'key,first_name\na,Ada\nb\n', 'line 3: the number of values differs'],
    ['an unknown name in NDJSON', '{"frist_name":"Ada"}\n', 'Did you mean firstName?', '--format', 'ndjson'],
    ['a file of another kind', 'key\n', 'the name must end in', '--format='],
  ])('does not accept %s before anything is sent', async (kind, text, message, ...more) => {
    const { bodies, connect } = service();
    const file = write(kind === 'a file of another kind' ? 'a.xlsx' : 'contacts.csv', text);
    const flags = more.filter((word) => word !== '--format=');
    const { code, errors } = await create(file, { connect }, ...flags);
    expect([code, errors, bodies]).toEqual([exitCodes.usage, expect.stringContaining(message), []]);
  });

  it('names the missing column', async () => {
    const file = write('contacts.csv', 'first_name\nAda\n');
    const { code, errors } = await carillon(['crm', 'contacts', 'create', '--each', file], service());
    expect([code, errors]).toEqual([
      exitCodes.usage,
      expect.stringContaining(
        'needs responsibleId: add a column, or give all rows the same value with --responsible-id',
      ),
    ]);
  });

  it('sends the valid rows and reports each invalid one with its line', async () => {
    const { bodies, connect } = service();
    const file = write('deals.csv', 'key,name,price\nd-1,One,1\nd-2,Two,much\nd-2,Three,3\nd-1,Four,4\n,Five,5\n');
    const { code, errors } = await carillon(
      ['crm', 'deals', 'create', '--each', file, '--pipeline-id', '1', '--step-id', '11'],
      { connect },
    );
    expect(code).toBe(exitCodes.incomplete);
    expect(errors).toContain("line 3: price must be a number, not 'much'.");
    expect(errors).toContain('line 4: The key "d-2" occurs twice');
    expect(errors).toContain('line 6: The column key identifies the row, but is empty.');
    expect(bodies.map(({ name }) => name)).toEqual(['One']);
    expect(readFileSync(`${file}.rejected.csv`, 'utf8').split('\n')).toHaveLength(6);
  });

  it('fills nested fields and lists', async () => {
    const { bodies, connect } = service();
    const mails =
      'subject,html,text,from.name,from.email,to.email,cc\nHello,<p>Hello</p>,Hello,Sales,sales@example.com,ann.kowal@example.com,"[{""email"":""b@example.com""}]"\n';
    const file = write('mails.csv', mails);
    const { code, errors } = await carillon(['email', 'messages', 'send', '--each', file, '--yes'], { connect });
    expect([code, errors]).toEqual([0, expect.stringContaining('1 done.')]);
    expect(bodies).toEqual([
      {
        email: expect.objectContaining({
          html: Buffer.from('<p>Hello</p>').toString('base64'),
          from: { name: 'Sales', email: 'sales@example.com' },
          to: [{ email: 'ann.kowal@example.com' }],
          cc: [{ email: 'b@example.com' }],
        }),
      },
    ]);
    const phones = write('phones.csv', 'phones,description\n380931112233;380931112234,two\n');
    await carillon(['messaging', 'blacklist', 'add', '--each', phones], { connect });
    expect(bodies.at(-1)).toMatchObject({ phones: [380931112233, 380931112234], description: 'two' });
  });

  it('takes arguments from columns, or one value for all rows', async () => {
    const { bodies, connect } = service();
    const file = write('notes.csv', 'deal_id,message\n501,One\n501,Two\n');
    const { code } = await carillon(['crm', 'deals', 'comments', 'create', '--each', file], { connect });
    const other = write('other.csv', 'message\nThree\n');
    const fixed = await carillon(['crm', 'deals', 'comments', 'create', '501', '--each', other], { connect });
    expect([code, fixed.code, bodies.map(({ message }) => message)]).toEqual([0, 0, ['One', 'Two', 'Three']]);
  });

  it('reads NDJSON, and standard input with --format and --data', async () => {
    const { bodies, connect } = service();
    const input = '{"key":"a","firstName":"Ada"}\n{"key":"b","firstName":"Bela"}\n';
    const data = join(folder, 'jobs');
    const flags = ['--format', 'ndjson', '--data', data];
    expect((await create('-', { connect, input })).code).toBe(exitCodes.usage);
    expect((await create('-', { connect, input }, '--format', 'ndjson')).errors).toContain('need --data <folder>');
    expect((await create('-', { connect, input }, ...flags)).errors).toContain('2 done.');
    const many = Array.from({ length: 11 }, (_, at) => `{"key":"${at}","firstName":"Name${at}"}\n`).join('');
    const unconfirmed = await create('-', { connect, input: input + many }, ...flags);
    expect([unconfirmed.code, unconfirmed.errors]).toEqual([
      exitCodes.unconfirmed,
      expect.stringContaining('affects 11 records, so a person must confirm the call'),
    ]);
    const sent = await create('-', { connect, input: input + many }, ...flags, '--yes');
    expect(sent.errors).toContain('11 done, 2 done in earlier runs.');
    expect(bodies).toHaveLength(13);
  });

  it('asks once for the whole set, and shows the row count, first and last row, and address', async () => {
    const { bodies, connect } = service();
    const rows = Array.from({ length: 12 }, (_, at) => `c-${at},Name${at}\n`).join('');
    const file = write('contacts.csv', `key,first_name\n${rows}`);
    const script = await create(file, { connect });
    expect([script.code, bodies.length]).toEqual([exitCodes.unconfirmed, 0]);
    const no = await create(file, { connect, isTerminal: true, answers: ['n'] });
    expect([no.code, bodies.length, existsSync(`${file}.jobs`)]).toEqual([exitCodes.unconfirmed, 0, false]);
    for (const part of ['12 calls', 'affects 12 records', 'Name0', 'Name11', baseUrl])
      expect(no.errors).toContain(part);
    const yes = await create(file, { connect, isTerminal: true, answers: ['y'] });
    expect([yes.code, bodies.length]).toEqual([0, 12]);
    expect((await create(file, { connect })).code).toBe(0);
  });

  it('sends nothing if the file changes during the question', async () => {
    const { bodies, connect } = service();
    const rows = Array.from({ length: 12 }, (_, at) => `c-${at},Name${at}\n`).join('');
    const file = write('contacts.csv', `key,first_name\n${rows}`);
    const ask = async (): Promise<string> => {
      write('contacts.csv', `key,first_name\n${rows}${rows.replaceAll('c-', 'd-')}`);
      return 'y';
    };
    const { code, errors } = await create(file, { connect, isTerminal: true, ask });
    expect([code, bodies.length]).toEqual([exitCodes.usage, 0]);
    expect(errors).toContain('contacts.csv was changed after it was read. Run the command again. Nothing was sent.');
  });

  it.skipIf(process.platform === 'win32')(
    'does not accept a pipe or a device, beside which no job can lie, and suggests --each -',
    async () => {
      const { bodies, connect } = service();
      for (const more of [[], ['--dry-run']]) {
        const { code, errors } = await create('/dev/null', { connect }, ...more);
        expect([code, errors]).toEqual([
          exitCodes.usage,
          expect.stringContaining(
            '/dev/null is not a file. To read from a pipe, pass --each - and send the rows to standard input.',
          ),
        ]);
      }
      expect(bodies).toEqual([]);
    },
  );

  it('prints the IDs of all rows on request, including rows of earlier runs', async () => {
    const { bodies, connect } = service();
    const file = write('contacts.csv', people);
    const first = await create(file, { connect });
    expect([first.output, first.errors]).toEqual([
      '',
      expect.stringContaining('To get the IDs, run the command again with --output csv.'),
    ]);
    const second = await create(file, { connect }, '--output', 'csv');
    expect([second.code, second.output]).toEqual([
      0,
      expect.stringMatching(/^line,key,id\r\n(?:\d,c-\d,\d{4,}\r\n){3}$/),
    ]);
    expect(second.errors).not.toContain('To get the IDs');
    const third = await create(file, { connect }, '--json', 'key,id', '--quiet');
    expect([third.errors, third.output]).toEqual([
      '',
      expect.stringMatching(/^(?:\{"key":"c-\d","id":\d{4,}\}\n){3}$/),
    ]);
    const fourth = await create(file, { connect }, '--columns', 'id', '--quiet');
    // The command closes its embedded sandbox at the end.
    const embedded = await create(file, {}, '--sandbox');
    expect(embedded.errors).not.toContain('To get the IDs');
    expect(fourth.output).toMatch(/^id\r\n(?:\d{4,}\r\n){3}$/);
    expect(bodies).toHaveLength(3);
  });

  it.each([
    [['--json', 'name'], "There is no output field 'name'. With --each, the output fields are line, key and id."],
    [['--output', 'csv', '--json', 'id'], '--json writes ndjson. Use --columns for csv or text.'],
    [['--output', 'ndjson', '--columns', 'id'], '--columns works only with csv and text. For ndjson, use --json.'],
    [['--output', 'table'], '--each writes ndjson, csv or text, not table.'],
    [['--all'], "unknown option '--all'"],
  ])('does not accept %j with --each', async (flags, message) => {
    const { bodies, connect } = service();
    const { code, errors } = await create(write('contacts.csv', people), { connect }, ...flags);
    expect([code, errors.toLowerCase()]).toEqual([exitCodes.usage, expect.stringContaining(message.toLowerCase())]);
    expect(bodies).toEqual([]);
  });

  it('--dry-run shows the first request and the count, writes no files, and sends nothing', async () => {
    const { bodies, connect } = service();
    const file = write('contacts.csv', people);
    const { code, output, errors } = await create(file, { connect }, '--dry-run');
    expect([code, errors]).toEqual([
      0,
      'Dry run: 3 requests for 3 rows. The first request is shown above. Nothing was sent.\n',
    ]);
    expect(output).toContain('"firstName": "Ada"');
    expect([bodies, readdirSync(folder)]).toEqual([[], ['contacts.csv']]);
  });

  it('finds a contact whose response was lost by its marker, and does not create it again', async () => {
    let lost = 0;
    const { sandbox, connect } = service(async (url, body, forward) => {
      const response = await forward();
      if (!url.endsWith('/contacts/create') || !body.includes('Bela') || lost > 0) return response;
      lost += 1;
      throw new TypeError('fetch failed');
    });
    const file = write('contacts.csv', people);
    const { code, errors } = await create(file, { connect });
    expect([code, errors]).toEqual([0, expect.stringContaining('3 done.')]);
    const names = [...sandbox.state.crm.contacts.values()].map(({ record }) => record.firstName);
    expect(names.filter((name) => name === 'Bela')).toHaveLength(1);
  });

  it('leaves a row to a person if its response was lost and no search can find it', async () => {
    let lost = 0;
    const { bodies, connect } = service(async (_, body, forward) => {
      const response = await forward();
      if (!body.includes('Two') || lost > 0) return response;
      lost += 1;
      throw new TypeError('fetch failed');
    });
    const file = write('tags.csv', 'key,name\nt-1,One\nt-2,Two\nt-3,Three\n');
    const tags = (...more: string[]) => carillon(['crm', 'tags', 'create', '--each', file, ...more], { connect });
    const first = await tags();
    expect([first.code, first.errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining(`2 done, 1 with an unknown outcome (${file}.unknown.csv).`),
    ]);
    expect(readFileSync(`${file}.unknown.csv`, 'utf8')).toMatch(/^line,key,reason,name\n3,t-2,.*Two\n$/);
    expect((await tags()).errors).toContain('0 done, 2 done in earlier runs, 1 with an unknown outcome');
    expect(bodies).toHaveLength(3);
    expect(first.errors).toContain('Check with carillon crm tags list whether');
    vi.stubEnv('CARILLON_JOBS_FOLDER', `${file}.jobs`);
    const said = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((one) => one.mockReturnValue(undefined));
    expect(await runJobs('carillon-jobs', ['problems', 'crm.tags.create@api.example.com'])).toBe(0);
    expect(said.flatMap(({ mock }) => mock.calls).join('\n')).toMatch(
      /line 3: unknown \(t-2[\s\S]*for example by running carillon … --each again with --decide\./,
    );
    expect((await tags('--decide', 't-1=done')).code).toBe(exitCodes.usage);
    expect((await tags('--decide', 't-2=perhaps')).code).toBe(exitCodes.usage);
    expect((await tags('--decide', 't-2=not-done')).errors).toContain('1 done, 2 done in earlier runs.');
    expect(bodies).toHaveLength(4);
  });

  it('repeats a deletion whose response was lost, and treats 404 as success', async () => {
    let lost = 0;
    const { sandbox, connect } = service(async (_url, _body, forward) => {
      const response = await forward();
      if (lost > 0) return response;
      lost += 1;
      throw new TypeError('fetch failed');
    });
    const file = write('deals.csv', 'dealId\n501\n');
    const { code, errors } = await carillon(['crm', 'deals', 'delete', '--each', file, '--yes'], { connect });
    expect([code, errors]).toEqual([0, expect.stringContaining('1 done.')]);
    expect(sandbox.state.crm.deals.has(501)).toBe(false);
  });

  it('stops while the service is away, reports it, and continues with the same command', async () => {
    let isDown = true;
    const { bodies, connect } = service(async (url, _body, forward) => {
      if (isDown && url.endsWith('/contacts/create')) return new Response('', { status: 503 });
      return forward();
    });
    const rows = Array.from({ length: 10 }, (_, at) => `c-${at},Name${at}\n`).join('');
    const file = write('contacts.csv', `key,first_name\n${rows}`);
    const down = await create(file, { connect });
    expect(down.code).toBe(exitCodes.incomplete);
    // After some requests without a sure outcome, one row at a time tries whether the service is back.
    expect(new Set(bodies.map(({ firstName }) => firstName)).size).toBeLessThan(10);
    expect(down.errors).toContain('0 done, 10 not done yet.');
    expect(down.errors).toMatch(/No row has finished for \d seconds, so the run stops\./);
    expect(down.errors).toContain('Run the same command again to continue.');
    isDown = false;
    expect((await create(file, { connect })).errors).toContain('10 done.');
  });

  it('stops at once on a failure that affects every row, such as an invalid key', async () => {
    const { bodies, connect } = service(async () => new Response('', { status: 401 }));
    const { code, errors } = await create(write('contacts.csv', people), { connect });
    expect([code, errors]).toEqual([exitCodes.authentication, expect.stringContaining('3 not done yet')]);
    expect(bodies.length).toBeLessThan(3);
  });

  it('finishes the request in flight after Ctrl+C; a later run sends the rest', async () => {
    const stop = new AbortController();
    const { bodies, connect } = service(async (_url, body, forward) => {
      if (body.includes('Bela')) stop.abort(new Error('Interrupted'));
      return forward();
    });
    const file = write('contacts.csv', people);
    const first = await create(file, { connect, signal: stop.signal });
    expect([first.code, first.errors]).toEqual([
      exitCodes.interrupted,
      expect.stringContaining('2 done, 1 not done yet.'),
    ]);
    expect((await create(file, { connect })).errors).toContain('1 done, 2 done in earlier runs.');
    expect(bodies).toHaveLength(3);
  });

  it('sends only rows of the file that a person has agreed to, also after a run that was cut off', async () => {
    const stop = new AbortController();
    const { bodies, connect } = service(async (_url, body, forward) => {
      if (body.includes('Ada')) stop.abort(new Error('Interrupted'));
      return forward();
    });
    const file = write('contacts.csv', people);
    expect((await create(file, { connect, signal: stop.signal })).errors).toContain('1 done, 2 not done yet.');
    write('contacts.csv', 'key,first_name,last_name\nc-3,Karl,Costa\n');
    expect((await create(file, { connect })).errors).toContain('1 done.');
    expect(bodies.map(({ firstName }) => firstName)).toEqual(['Ada', 'Karl']);
  });

  it('sends rows of a run that was cut off with the flags of this one', async () => {
    const stop = new AbortController();
    const { bodies, connect } = service(async (_url, body, forward) => {
      if (body.includes('Ada')) stop.abort(new Error('Interrupted'));
      return forward();
    });
    const file = write('contacts.csv', people);
    await create(file, { connect, signal: stop.signal });
    await create(file, { connect }, '--responsible-id', '78');
    expect(bodies.map(({ responsibleId }) => responsibleId)).toEqual([77, 78, 78]);
  });

  it('sends each row once although two commands run at the same time', async () => {
    const { bodies, connect } = service();
    const rows = Array.from({ length: 60 }, (_, at) => `c-${at},Name${at}\n`).join('');
    const file = write('contacts.csv', `key,first_name\n${rows}`);
    const both = await Promise.all([1, 2].map(() => create(file, { connect }, '--yes', '--parallel', '4')));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(bodies.map(({ firstName }) => firstName).sort()).toEqual(
      Array.from({ length: 60 }, (_, at) => `Name${at}`).sort(),
    );
  });

  it('keeps methods, addresses and profiles apart, and files in a folder of several', async () => {
    const { bodies, connect } = service();
    const file = write('contacts.csv', people);
    const other = write('others.csv', people);
    const data = join(folder, 'jobs');
    const at = (change: Partial<Connection>) => async (options: ConnectOptions) => ({
      ...(await connect(options)),
      ...change,
    });
    for (const change of [{}, { profile: 'work' }, { baseUrl: 'https://other.example.com' }])
      expect((await create(file, { connect: at(change) }, '--data', data)).errors).toContain('3 done.');
    expect((await create(other, { connect }, '--data', data)).errors).toContain('3 done.');
    expect((await create(file, { connect }, '--data', data)).errors).toContain('0 done, 3 done in earlier runs.');
    const tags = write('tags.csv', 'key,name\nc-1,VIP\n');
    const tagged = await carillon(['crm', 'tags', 'create', '--each', tags, '--data', data], { connect });
    expect(tagged.errors).toContain('1 done.');
    expect(bodies).toHaveLength(13);
  });

  it('can be looked at and repaired in a second terminal', async () => {
    let isRejecting = true;
    const { connect } = service(async (_, body, forward) =>
      isRejecting && body.includes('Bela') ? Response.json({ message: 'no' }, { status: 422 }) : forward(),
    );
    const file = write('contacts.csv', people);
    await create(file, { connect });
    vi.stubEnv('CARILLON_JOBS_FOLDER', `${file}.jobs`);
    const jobs = (...args: string[]) => runJobs('carillon-jobs', args);
    const said = vi.spyOn(console, 'log').mockReturnValue(undefined);
    const name = 'crm.contacts.create@api.example.com';
    expect([await jobs('status'), await jobs('problems', name), await jobs('retry', name, '3')]).toEqual([0, 0, 0]);
    expect(said.mock.calls.join('\n')).toMatch(
      /3 of 3 rows \(100%\), 1 rejected, finished[\s\S]*line 3: rejected \(c-2[\s\S]*1 row planned again/,
    );
    isRejecting = false;
    expect((await create(file, { connect })).errors).toContain('1 done, 2 done in earlier runs.');
  });

  it('sends nothing of a job that a person has cancelled, and says so', async () => {
    const { bodies, connect } = service(async () => new Response('', { status: 401 }));
    const file = write('contacts.csv', people);
    vi.stubEnv('CARILLON_JOBS_FOLDER', `${file}.jobs`);
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    await create(file, { connect });
    expect(await runJobs('carillon-jobs', ['cancel', 'crm.contacts.create@api.example.com'])).toBe(0);
    const sent = bodies.length;
    const { code, errors } = await create(file, { connect });
    expect([code, errors]).toEqual([exitCodes.configuration, expect.stringContaining('The job was cancelled')]);
    expect(bodies).toHaveLength(sent);
  });

  it('says that a person has paused the job, and continues it in the next run', async () => {
    const { bodies, connect } = service(async (_url, body, forward) => {
      if (body.includes('Ada')) await runJobs('carillon-jobs', ['pause', 'crm.contacts.create@api.example.com']);
      return forward();
    });
    vi.stubEnv('CARILLON_JOBS_FOLDER', join(folder, 'contacts.csv.jobs'));
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    const rows = Array.from({ length: 50 }, (_, at) => `c-${at},Name${at}\n`).join('');
    const file = write('contacts.csv', `key,first_name\nc,Ada\n${rows}`);
    const { code, errors } = await create(file, { connect }, '--yes');
    expect([code, errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining('The job crm.contacts.create@api.example.com is paused.'),
    ]);
    expect(bodies.length).toBeLessThan(51);
    expect((await create(file, { connect }, '--yes')).code).toBe(0);
    expect(bodies).toHaveLength(51);
  });

  it('sends rows concurrently with --parallel', async () => {
    let running = 0;
    let most = 0;
    const { bodies, connect } = service(async (_url, _body, forward) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return forward();
    });
    const rows = Array.from({ length: 40 }, (_, at) => `Name${at}\n`).join('');
    const file = write('contacts.csv', `first_name\n${rows}`);
    const { code } = await create(file, { connect }, '--parallel', '4', '--yes');
    expect([code, bodies.length, new Set(bodies.map(({ firstName }) => firstName)).size]).toEqual([0, 40, 40]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    expect((await create(file, { connect }, '--parallel', '17')).code).toBe(exitCodes.usage);
  });

  it('writes a response per row for a reading method, without a job', async () => {
    const { connect } = service();
    const file = write('ids.csv', 'contactId\n3001\n9\n');
    const { code, output } = await carillon(['crm', 'contacts', 'get', '--each', file], { connect });
    expect(JSON.parse(output)).toMatchObject({ line: 2, response: { id: 3001, firstName: 'Ann' } });
    expect([code, readdirSync(folder).sort()]).toEqual([exitCodes.incomplete, ['ids.csv', 'ids.csv.rejected.csv']]);
  });

  it('stops a reading method after five failures in a row, and names the rows to read again', async () => {
    const { connect } = service(async () => new Response('', { status: 503 }));
    const file = write('ids.csv', `contactId\n${Array.from({ length: 9 }, (_, at) => `${at + 1}\n`).join('')}`);
    const { code, errors } = await carillon(['crm', 'contacts', 'get', '--each', file], { connect });
    expect([code, errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining(`0 done, 5 rejected (${file}.rejected.csv), 4 not done yet.`),
    ]);
    expect(errors).toContain('5 consecutive rows failed. The service seems to be down.');
    const rejecting = service(async () => new Response('', { status: 401 }));
    const stopped = await carillon(['crm', 'contacts', 'get', '--each', file], rejecting);
    expect([stopped.code, stopped.errors]).toEqual([
      exitCodes.authentication,
      expect.stringContaining('0 done, 9 not done yet.'),
    ]);
  });

  it('--each-template writes a header that --each accepts, for every method', async () => {
    const wanted = methods.filter(takesRows);
    expect(wanted.length).toBeGreaterThan(70);
    for (const method of wanted) {
      const words = method.words.map(kebab);
      const { code, output } = await carillon([...words, '--each-template']);
      expect([method.name, code, output.split('\n').length]).toEqual([method.name, 0, 2]);
      const file = write(`${method.name}.csv`, output);
      const ran = await carillon([...words, '--each', file, '--dry-run']);
      expect([method.name, ran.code, ran.errors]).toEqual([
        method.name,
        0,
        'Dry run: 0 requests for 0 rows. The first request is shown above. Nothing was sent.\n',
      ]);
    }
  });
});

it.each([
  [false, ['50 of 200 rows (25%), 5 rows/s, 30 s left, 1 rejected\n']],
  [true, ['\r\u001b[K1 of 200 rows (0%)', '\r\u001b[K50 of 200 rows (25%), 5 rows/s, 30 s le', '\r\u001b[K']],
])('shows progress in one line of a terminal (%s), or in lines after a while', (isTerminal, expected) => {
  const notes: string[] = [];
  const io = { isTerminal: { error: isTerminal }, columns: 40, note: (text: string) => void notes.push(text) };
  const progress = new RowProgress(io as never, 0);
  progress.show(1, 200, 0, 0, 50);
  progress.show(50, 200, 1, 0, 10_000);
  progress.end();
  expect(notes).toEqual(expected);
});
