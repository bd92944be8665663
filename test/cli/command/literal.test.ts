import { execFileSync } from 'node:child_process';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { Connection, ConnectOptions } from '../../../src/cli/catalogue/index.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { takesRows } from '../../../src/cli/command/each/flags.ts';
import { columnNames } from '../../../src/cli/command/each/method-columns.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { kebab } from '../../../src/cli/command/names.ts';
import { readGivenFile } from '../../../src/cli/command/system-io.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon } from '../../support/terminal.ts';

const root = mkdtempSync(join(tmpdir(), 'carillon-literal-test-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

const isWindows = process.platform === 'win32';

/** A sandbox that keeps the bodies of the requests that change something. */
function service() {
  const { fetch } = createSandbox();
  const bodies: Record<string, unknown>[] = [];
  const connect = async ({ options }: ConnectOptions): Promise<Connection> =>
    connectionTo({
      ...options,
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'any' },
      fetch: async (url, init) => {
        if (typeof init.body === 'string' && init.method !== 'GET') bodies.push(JSON.parse(init.body));
        return fetch(url, init);
      },
    });
  return { bodies, connect };
}

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function namedPipe(): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Records the paths of all files that this process opens. */
function watchOpens(): { opened: string[]; stop(): void } {
  const opened: string[] = [];
  const restore: (() => void)[] = [];
  const places: [object, string[]][] = [
    [fs, ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']],
    [fs.promises, ['open', 'readFile']],
  ];
  for (const [place, names] of places) {
    for (const name of names) {
      const original: unknown = Reflect.get(place, name);
      if (typeof original !== 'function') continue;
      Reflect.set(place, name, (...args: unknown[]) => {
        opened.push(String(args[0]));
        return Reflect.apply(original, place, args);
      });
      restore.push(() => Reflect.set(place, name, original));
    }
  }
  syncBuiltinESMExports();
  return {
    opened,
    stop() {
      for (const undo of restore) undo();
      syncBuiltinESMExports();
    },
  };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe('a cell of --each', () => {
  it('is literal: no value reads a file, for any column', async () => {
    const secret = write('secret.txt', 'the key');
    const watch = watchOpens();
    stops.push(watch.stop);
    const read: string[] = [];
    const tested = new Set<string>();
    for (const method of methods.filter(takesRows)) {
      for (const column of columnNames(method)) {
        if (tested.has(column)) continue;
        tested.add(column);
        const values = [`@${secret}`, secret, `a=@${secret}`, `["@${secret}"]`, '@/dev/zero'];
        const rows = values.map((value, at) => `k${at},"${value.replaceAll('"', '""')}"\n`).join('');
        const file = write('rows.csv', `key,${column}\n${rows}`);
        await carillon([...method.words.map(kebab), '--each', file, '--dry-run'], {
          readFile: async (path) => {
            read.push(path);
            return new Uint8Array();
          },
        });
        const lines = values.map((value) => JSON.stringify({ [column]: value })).join('\n');
        const ndjson = write('rows.ndjson', lines);
        await carillon([...method.words.map(kebab), '--each', ndjson, '--dry-run'], {
          readFile: async (path) => {
            read.push(path);
            return new Uint8Array();
          },
        });
      }
    }
    watch.stop();
    // Modules are loaded on demand, and the command looks for credentials.
    const data = watch.opened.filter((path) => !path.startsWith('file:') && !path.endsWith('credentials.json'));
    expect(data.length).toBeGreaterThan(100);
    expect([...new Set(data)].sort()).toEqual([join(folder, 'rows.csv'), join(folder, 'rows.ndjson')]);
    expect(read).toEqual([]);
  });

  it.each(['@annkowal', '@@annkowal', '@=ann', '@/dev/zero', 'null', '[1]', '{"a":1}', 'a=b', '007', 'true'])(
    'arrives as the text %s',
    async (name) => {
      const { bodies, connect } = service();
      const file = write('guests.csv', `key,first_name\na,"${name.replaceAll('"', '""')}"\n`);
      const { code, errors } = await carillon(['crm', 'contacts', 'create', '--each', file, '--responsible-id', '77'], {
        connect,
      });
      expect([code, errors]).toEqual([0, expect.stringContaining('1 done.')]);
      expect(bodies[0]?.firstName).toBe(name);
    },
  );

  it('is literal in an inner field, in a list and in a map of files', async () => {
    const { bodies, connect } = service();
    const file = write(
      'mails.csv',
      'subject,html,text,from.name,from.email,to.email,attachments.a.txt,attachments_binary.b.bin\n@s,@h,@t,@n,sales@example.com,ann.kowal@example.com,@a,@b\n',
    );
    const { code, errors } = await carillon(['email', 'messages', 'send', '--each', file, '--yes'], { connect });
    expect([code, errors]).toEqual([0, expect.stringContaining('1 done.')]);
    expect(bodies[0]?.email).toMatchObject({
      subject: '@s',
      html: Buffer.from('@h').toString('base64'),
      text: '@t',
      from: { name: '@n' },
      attachments: { 'a.txt': '@a' },
      attachments_binary: { 'b.bin': Buffer.from('@b').toString('base64') },
    });
  });

  it('splits a list only at semicolons, so a decimal comma is a problem of its row', async () => {
    const { bodies, connect } = service();
    const file = write('deals.csv', 'key,name,contact\na,One,"3001,3002"\nb,Two,3001;3002\n');
    const { code, errors } = await carillon(
      ['crm', 'deals', 'create', '--each', file, '--pipeline-id', '1', '--step-id', '11'],
      { connect },
    );
    expect([code, errors]).toEqual([
      exitCodes.incomplete,
      expect.stringContaining("line 2: contact must be an integer, not '3001,3002'"),
    ]);
    expect(bodies).toEqual([expect.objectContaining({ name: 'Two', contact: [3001, 3002] })]);
  });
});

describe('@= before the value of a flag', () => {
  const names = ['@annkowal', '@@x', '@=x', 'null', '[1]', '{"a":1}', 'a=b', '--yes', '-1', '', 'a,b', 'mail.txt'];

  it.each(names)('is the text %j, in every kind of text', async (text) => {
    const { code, output, errors } = await carillon(
      [
        ...['crm', 'contacts', 'create', '--responsible-id', '77', '--first-name', `@=${text}`],
        ...['--set', `own=@=${text}`, '--dry-run'],
      ],
      { files: { 'mail.txt': 'content', annkowal: 'content' } },
    );
    expect([code, errors]).toEqual([0, 'Dry run: nothing was sent.\n']);
    expect(JSON.parse(output.split('\n\n')[1] ?? '')).toMatchObject({ firstName: text, own: text });
    const mail = await carillon(
      [
        ...['email', 'messages', 'send', '--subject', `@=${text}`, '--html', `@=${text}`, '--text', `@=${text}`],
        ...['--from', `name=@=${text}`, '--from', 'email=a@example.com', '--to', '{"email":"a@example.com"}'],
        ...['--attachments', `a.txt=@=${text}`, '--dry-run', '--unchecked'],
      ],
      { files: { 'mail.txt': 'content', annkowal: 'content' } },
    );
    expect([mail.code, mail.errors]).toEqual([0, 'Dry run: nothing was sent.\n']);
    expect(JSON.parse(mail.output.split('\n\n')[1] ?? '').email).toMatchObject({
      subject: text,
      html: Buffer.from(text).toString('base64'),
      text,
      from: { name: text },
      attachments: { 'a.txt': text },
    });
  });

  it('is one item of a list', async () => {
    const create = (...contact: string[]) =>
      carillon([
        'crm',
        'deals',
        'create',
        '--pipeline-id',
        '1',
        '--step-id',
        '11',
        '--name',
        'x',
        '--dry-run',
        ...contact,
      ]);
    const { output } = await create('--contact', '@=3001', '--contact', '3002,3003');
    expect(JSON.parse(output.split('\n\n')[1] ?? '')).toMatchObject({ contact: [3001, 3002, 3003] });
    const { code, errors } = await create('--contact', '@=1,2');
    expect([code, errors]).toEqual([
      exitCodes.usage,
      expect.stringContaining("--contact must be an integer, not '1,2'"),
    ]);
  });
});

describe.skipIf(isWindows)('a file that a flag names', () => {
  it('is a file', () => {
    expect(Buffer.from(readGivenFile(write('a.txt', 'content'))).toString()).toBe('content');
  });

  it.each<[string, () => string]>([
    ['a device', () => '/dev/zero'],
    ['a folder', () => folder],
    ['a pipe', namedPipe],
  ])('is not %s, which is invalid at once', (_, pathOf) => {
    const path = pathOf();
    expect(() => readGivenFile(path)).toThrow(`${path} is not a file. To read from a pipe, use --input -.`);
  });

  it('is named in a note with its size, so that a person sees what is sent', async () => {
    const args = ['crm', 'tags', 'create', '--name', '@tag.txt', '--dry-run'];
    const { errors } = await carillon(args, { files: { 'tag.txt': 'Guests' } });
    expect(errors).toBe('--name is the content of tag.txt (6 bytes).\nDry run: nothing was sent.\n');
    expect((await carillon([...args, '--quiet'], { files: { 'tag.txt': 'Guests' } })).errors).not.toContain('tag.txt');
  });

  it('is never opened to find out whether a value is its path', async () => {
    const watch = watchOpens();
    stops.push(watch.stop);
    const send = ['email', 'messages', 'send', '--subject', '/dev/zero', '--html', '/dev/zero', '--dry-run'];
    expect((await carillon(send)).code).toBe(exitCodes.usage);
    watch.stop();
    expect(watch.opened).toEqual([]);
  });
});
