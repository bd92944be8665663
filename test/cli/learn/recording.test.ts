import {
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { outputClosed } from '../../../src/cli/command/io.ts';
import { type LearnIo, runLearn } from '../../../src/cli/command/learn.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-learn-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const base = 'https://api.example.com';

interface Entry {
  method?: string;
  url?: string;
  status?: number;
  text?: string;
  encoding?: string;
  size?: number;
}

function entry({
  method = 'GET',
  url = `${base}/crm/v1/users?token=s3cret`,
  status = 200,
  text = '{"data":[{"id":77}]}',
  ...content
}: Entry = {}) {
  return {
    request: { method, url, headers: [{ name: 'authorization', value: 'Bearer s3cret' }] },
    response: { status, content: { mimeType: 'application/json', ...(text !== '' && { text }), ...content } },
  };
}

const har = (...entries: Entry[]): string =>
  JSON.stringify({ log: { version: '1.2', pages: [{ title: 's3cret' }], entries: entries.map(entry) } });

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const run = (...args: string[]) => runWith(new AbortController().signal, ...args);

async function runWith(signal: AbortSignal, ...args: string[]) {
  let output = '';
  let notes = '';
  const io: LearnIo = {
    env: {},
    signal,
    write(text) {
      output += text;
    },
    note(text) {
      notes += text;
    },
    async *openFile(path) {
      const bytes = readFileSync(path);
      // Split the text inside characters and words.
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    },
  };
  const code = await runLearn(args, io);
  return { code, output, notes };
}

const out = (): string => join(folder, 'observed.json');
const observed = (): Record<string, Record<string, { replies: number }>> | undefined =>
  Object.values<Record<string, Record<string, { replies: number }>>>(
    JSON.parse(readFileSync(out(), 'utf8')).accounts,
  )[0];

describe('carillon learn', () => {
  it('learns from HAR with bodies as text or Base64, and ignores other hosts, undocumented paths and cached replies', async () => {
    const file = write(
      'traffic.har',
      har(
        {},
        { text: Buffer.from('\uFEFF{"data":[{"id":78}]}').toString('base64'), encoding: 'base64' },
        { url: `${base}/crm/v1/deals/attributes/1`, text: '{"data":[]}' },
        { method: 'DELETE', url: `${base}/crm/v1/deals/501`, status: 204, text: '' },
        { url: `${base}/crm/v1/deals/424242`, status: 404, text: 'not JSON ключ' },
        { url: 'https://fonts.example.org/crm/v1/users' },
        { url: `${base}/crm/v1/unknown` },
        { status: 304, text: '' },
        { text: '', size: 1_234 },
      ),
    );
    const { code, notes } = await run(file, '--base-url', base, '--out', out());
    expect({ code, notes: notes.replace(folder, '') }).toEqual({
      code: 0,
      notes: expect.stringContaining(
        '4 replies learnt, 5 left out (1 of other addresses, 1 of unknown paths, 1 without a reply, or redirected, 1 whose body was not recorded, 1 whose body was cut or damaged)',
      ),
    });
    expect(observed()).toMatchObject({
      listUsers: { 200: { replies: 2, body: { types: { object: 2 } } } },
      listDealAttributeDefinitions: expect.anything(),
      deleteDeal: { 204: { replies: 1, bodies: 0 } },
    });
    expect(observed()).not.toHaveProperty('getDeal');
    expect(readFileSync(out(), 'utf8')).not.toMatch(/s3cret|example|424242|ключ/);
  });

  it('counts replies whose bodies the recording leaves out, and learns nothing from them', async () => {
    const omitted = { text: '', size: -1 };
    const { notes } = await run(write('a.har', har({}, omitted)), '--base-url', base, '--out', out());
    expect(notes).toContain('1 reply learnt, 1 left out (1 whose body was not recorded)');
    expect(await run(write('b.har', har(omitted)), '--base-url', base, '--out', out())).toMatchObject({
      code: 2,
      notes: expect.stringContaining('did not record all bodies whole: record whole bodies, as decoded text.'),
    });
  });

  it('explains what to do with an archive and with a recording without replies', async () => {
    expect((await run(write('a.har.zip', 'PK'), '--base-url', base, '--out', out())).notes).toContain('Unpack it');
    const { code, notes } = await run(write('a.ndjson', '\n'), '--base-url', base, '--out', out());
    expect([code, notes]).toEqual([2, expect.stringContaining('Record calls of the documented operations.')]);
  });

  it('stops at Ctrl+C, and writes nothing', async () => {
    const file = write('a.har', har({}));
    const stopped = await runWith(
      AbortSignal.abort(new Error('Interrupted')),
      file,
      '--base-url',
      base,
      '--out',
      out(),
    );
    expect(stopped).toEqual({ code: 130, output: '', notes: 'Interrupted. No file was changed.\n' });
    expect(() => observed()).toThrow();
  });

  it('ends without a message if the reader of its output stops reading', async () => {
    const file = write('a.har', har({}));
    expect(await runWith(AbortSignal.abort(outputClosed), file, '--base-url', base)).toEqual({
      code: 0,
      output: '',
      notes: '',
    });
  });

  it('does not replace observations that it reads by a report, types or an overlay', async () => {
    await run(write('a.har', har({})), '--base-url', base, '--out', out());
    const before = readFileSync(out(), 'utf8');
    for (const args of [['report'], ['types'], ['overlay', 'crm']]) {
      const { code, notes } = await run(...args, out(), '--out', out());
      expect([code, notes]).toEqual([2, expect.stringContaining('is a file of observations to read')]);
    }
    expect(readFileSync(out(), 'utf8')).toBe(before);
    expect(await run('merge', out(), '--out', out())).toMatchObject({ code: 0 });
    expect(readFileSync(out(), 'utf8')).toBe(before);
  });

  it('keeps the file if the new one cannot be written', async () => {
    await run(write('a.har', har({})), '--base-url', base, '--out', out());
    const before = readFileSync(out(), 'utf8');
    vi.spyOn(promises, 'rename').mockRejectedValueOnce(new Error('the disk is full'));
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const { code, notes } = await run('merge', out(), '--out', out());
    expect(readdirSync(folder).sort()).toEqual(['a.har', 'observed.json']);
    expect([code, notes]).toEqual([2, expect.stringMatching(/observed\.json: /)]);
    expect(readFileSync(out(), 'utf8')).toBe(before);
    mkdirSync(`${out()}.new`);
    utimesSync(`${out()}.new`, 0, 0);
    const again = await run(write('a.har', har({})), '--base-url', base, '--out', out());
    expect([again.code, again.notes]).toEqual([2, expect.stringMatching(/observed\.json: /)]);
  });

  it('reads observations that an editor saved with a byte order mark', async () => {
    await run(write('a.har', har({})), '--base-url', base, '--out', out());
    write('observed.json', `\uFEFF${readFileSync(out(), 'utf8')}`);
    expect((await run('report', out())).code).toBe(0);
    expect((await run(write('a.har', har({})), '--base-url', base, '--out', out())).code).toBe(0);
    expect(observed()).toMatchObject({ listUsers: { 200: { replies: 2 } } });
  });

  it('leaves open whether integers of 0 and 1 are flags or counts, until another one occurs', async () => {
    const opened = (count: number): string =>
      JSON.stringify({ operationId: 'getEmailMessage', status: 200, body: { id: 'a', tracking: { click: count } } });
    const point = '#/components/schemas/EmailTracking/properties/click';
    await run(write('a.ndjson', [0, 1, 1, 1, 0, 1].map(opened).join('\n')), '--base-url', base, '--out', out());
    expect((await run('report', out())).output).not.toContain(point);
    await run(write('b.ndjson', opened(3)), '--base-url', base, '--out', out());
    expect((await run('report', out())).output).toContain(point);
  });

  it('ignores paths that only start like the path of the base URL', async () => {
    const file = write('a.har', har({ url: `${base}/api/crm/v1/users` }, { url: `${base}/apis/crm/v1/users` }));
    const { notes } = await run(file, '--base-url', `${base}/api`, '--out', out());
    expect(notes).toContain('1 reply learnt, 1 left out (1 of other addresses');
  });

  it('learns from HAR that starts with a byte order mark', async () => {
    const { code } = await run(write('a.har', `\uFEFF${har({})}`), '--base-url', base, '--out', out());
    expect(code).toBe(0);
    expect(observed()).toMatchObject({ listUsers: { 200: { replies: 1 } } });
  });

  it('does not lose what it learns while another process writes the file', async () => {
    const file = write('a.har', har({}));
    const lock = write('observed.json.new', '');
    setImmediate(() => rmSync(lock));
    expect(await run(file, '--base-url', base, '--out', out())).toMatchObject({ code: 0 });
    expect(observed()).toMatchObject({ listUsers: { 200: { replies: 1 } } });
  });

  it('says that nothing was written if another process keeps writing the file', async () => {
    const file = write('a.har', har({}));
    write('observed.json.new', '');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const running = run(file, '--base-url', base, '--out', out());
    await vi.runAllTimersAsync();
    expect(await running).toMatchObject({ code: 2, notes: expect.stringMatching(/nothing was written\. Try again/) });
    expect(() => observed()).toThrow();
  });

  it('refuses folders, and files in folders that do not exist', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, notes } = await run(...args);
      expect(code).toBe(2);
      return notes.replaceAll(folder, '');
    };
    const file = write('a.har', har({}));
    mkdirSync(join(folder, 'dir.har'));
    expect(await refused(join(folder, 'dir.har'), '--base-url', base)).toContain('/dir.har is a folder.');
    expect(await refused(file, '--base-url', base, '--out', folder)).toContain('is a folder. Name a file.');
    expect(await refused(file, '--base-url', base, '--out', join(folder, 'none', 'o.json'))).toContain(
      'does not exist',
    );
    await run(file, '--base-url', base, '--out', out());
    expect(await refused('report', out(), '--out', folder)).toContain('is a folder. Name a file.');
  });

  it('learns from NDJSON, and from several files', async () => {
    const lines = [
      { operationId: 'listUsers', status: 200, body: { data: [] } },
      { method: 'get', url: `${base}/crm/v1/users`, status: 200, body: { data: [] } },
    ];
    const file = write('traffic.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await run(file, write('b.har', har({})), '--base-url', base, '--out', out())).toMatchObject({ code: 0 });
    expect(observed()).toMatchObject({ listUsers: { 200: { replies: 3 } } });
  });

  it.each([
    [
      'another host',
      'a.har',
      har({ url: 'https://other.example.org/crm/v1/users' }),
      ['--base-url', base],
      /no reply of the service \(1 of other addresses.*--base-url/,
    ],
    ['no address', 'a.har', har({}), [], /--base-url https/],
    [
      'another host beside an operation',
      'a.ndjson',
      '{"operationId":"listUsers","url":"https://other.example.org/crm/v1/users","status":200}',
      ['--base-url', base],
      /no reply of the service \(1 of other addresses/,
    ],
    [
      'a status that is none',
      'a.ndjson',
      '{"operationId":"listUsers","status":999}',
      ['--base-url', base],
      /no reply of the service/,
    ],
    ['another file', 'a.txt', 'x', ['--base-url', base], /neither a \.har nor a \.ndjson/],
    ['JSON without entries', 'a.har', '{"log":{}}', ['--base-url', base], /no log\.entries/],
    ['HAR that ends early', 'a.har', har({}, {}).slice(0, -30), ['--base-url', base], /not JSON after its entry/],
    ['a line that is no JSON', 'a.ndjson', '\n{"s3cret', ['--base-url', base], /line 2: it is not JSON/],
    [
      'a line without a status',
      'a.ndjson',
      '{"url":"https://s3cret.example"}',
      ['--base-url', base],
      /line 1: it needs status/,
    ],
  ])('refuses %s, writes nothing and says what to do', async (_, name, text, flags, message) => {
    const { code, notes, output } = await run(write(name, text), ...flags, '--out', out());
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(notes).toMatch(message);
    expect(notes).not.toMatch(/s3cret|other\.example/);
    expect(() => observed()).toThrow();
  });

  it('prints its help', async () => {
    const { code, output } = await run('--help');
    expect(code).toBe(0);
    expect(output).toMatch(/^Usage: carillon learn[\s\S]*--base-url[\s\S]*\n {2}merge /);
    expect((await run()).output).toBe(output);
    expect(await run('--nonsense')).toMatchObject({ code: 2, notes: expect.stringMatching(/nonsense.*--help/) });
  });

  it.each(['merge', 'report', 'overlay', 'types'])(
    'prints the help of %s, and refuses options of others',
    async (name) => {
      const { code, output } = await run(name, '--help');
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(`Usage: carillon learn ${name} `) });
      expect(await run(name, 'crm', '--base-url', base)).toMatchObject({
        code: 2,
        notes: expect.stringContaining(`Unknown option '--base-url'. carillon learn ${name} --help`),
      });
    },
  );

  it('merges accounts, and prints their number', async () => {
    const files = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const file = join(folder, `${name}.json`);
        await run(write(`${name}.har`, har({})), '--base-url', base, '--out', file);
        return file;
      }),
    );
    const merged = await run('merge', ...files);
    expect(merged.notes).toBe('3 accounts\n');
    const file = write('merged.json', merged.output);
    expect((await run('merge', file, ...files)).output).toBe(merged.output);
    expect((await run('report', file)).output).toMatch(/^Observed on 3 accounts, 3 replies\. Of \d+ points/);
  });

  it('reports in the terminal and as Markdown, and writes overlays and types', async () => {
    const user = { id: 77, jobTitle: 'Manager', manager: null };
    const reply = { text: JSON.stringify({ data: [user, user] }) };
    await run(write('a.har', har(reply, reply, reply)), '--base-url', base, '--out', out());
    const report = await run('report', out());
    expect(report.output).toContain('crm: User: jobTitle: string (text) (observed on 1 account, 3 replies)');
    expect((await run('report', out(), '--markdown')).output).toMatch(
      /^# What traffic shows\n\n.*\n\n## Settled\n\n- crm: User/s,
    );
    expect((await run('types', out())).output).toContain(
      "declare module 'carillon/crm' {\n  interface UserFields {\n    jobTitle?: string;\n    manager?: unknown;\n  }\n}\n",
    );
    const open = JSON.parse((await run('overlay', 'crm', out())).output);
    const seen = { accounts: 1, replies: 3 };
    expect(open).toMatchObject({
      overlay: '1.0.0',
      actions: [{ target: "$['components']['schemas']['User']", update: { 'x-observed': seen } }],
    });
    const closed = JSON.parse((await run('overlay', 'crm', out(), '--accept', '#/components/schemas/User')).output);
    expect(closed.actions).toContainEqual({ target: "$['components']['schemas']['User']['x-open']", remove: true });
    expect(JSON.stringify(closed)).not.toContain('required');
    expect(report.output).toMatch(/crm: User: .*; #\/components\/schemas\/User\)\n/);
    expect(await run('overlay', 'crm', out(), '--accept', '#/components/schemas/Deal')).toMatchObject({
      code: 0,
      notes: expect.stringMatching(/Deal: not closed/),
    });
    expect(await run('overlay', 'crm', out(), '--accept', 'User')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/no open point/),
    });
  });

  it.each([
    ['a page of a gateway', { status: 502, text: '<html>Bad gateway</html>' }],
    ['JSON of a gateway', { status: 503, text: '{"message":"upstream"}' }],
    ['a failure without a body', { status: 429, text: '' }],
  ])('does not settle the form of failures by %s', async (_, reply) => {
    await run(write('a.har', har(reply)), '--base-url', base, '--out', out());
    expect((await run('report', out())).output).not.toContain('\nSettled');
    await run(write('b.har', har({ status: 404, text: '{"message":"none"}' })), '--base-url', base, '--out', out());
    expect((await run('report', out())).output).toMatch(/\nSettled[\s\S]*crm: Error: /);
  });

  it('reports a value that is not among the known ones as contradicting their point', async () => {
    const report = async (type: number): Promise<string> => {
      const file = write(
        'a.ndjson',
        JSON.stringify({ operationId: 'listContactAttributes', status: 200, body: { data: [{ id: 1, type }] } }),
      );
      await run(file, '--base-url', base, '--out', out());
      return (await run('report', out())).output;
    };
    expect(await report(5)).toMatch(/\nSupported[\s\S]*crm: ContactAttribute › type: /);
    expect(await report(6)).toMatch(/\nContradicted[\s\S]*crm: ContactAttribute › type: /);
  });

  it('proposes nothing from two replies', async () => {
    const reply = {
      text: JSON.stringify({
        data: [
          { id: 1, jobTitle: 'CEO' },
          { id: 2, jobTitle: 'CFO' },
        ],
      }),
    };
    await run(write('a.har', har(reply, reply)), '--base-url', base, '--out', out());
    expect((await run('types', out())).output).not.toContain('jobTitle');
    expect((await run('overlay', 'crm', out(), '--accept', 'all')).output).not.toMatch(/"remove"|"jobTitle":/);
  });

  it('proposes only fields of a new record that occur often enough', async () => {
    const reply = (rest: object) => {
      const user = { id: 1, office: { street: 'Main Road', ...rest } };
      return { text: JSON.stringify({ data: [user, user, user] }) };
    };
    const often = reply({});
    await run(write('a.har', har(often, often, reply({ floor: 3 }))), '--base-url', base, '--out', out());
    const overlay = (await run('overlay', 'crm', out(), '--accept', 'all')).output;
    expect(overlay).toMatch(/"office": \{[\s\S]*"street": \{/);
    // The field is in three records of one reply.
    expect(readFileSync(out(), 'utf8')).toContain('"floor"');
    expect(overlay).not.toContain('"floor": ');
    expect((await run('types', out())).output).toContain('    office?: { street?: string };\n');
  });
});
