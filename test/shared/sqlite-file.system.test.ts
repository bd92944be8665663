import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type FileKind, SqliteFile } from '../../src/shared/sqlite-file.ts';
import { amounts } from '../support/amounts.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-sqlite-'));
  path = join(folder, 'data.sqlite');
  return () => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
});

const kind: FileKind = {
  what: 'a test file',
  applicationId: 0x4361_0001,
  version: 3,
  schema: 'CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT',
};

const modes = [{ sync: true }, { sync: false }];

const open = (at = path, { sync = false } = {}) => SqliteFile.open(at, kind, { sync });
const add = (file: SqliteFile, text = 'one') =>
  file.run(() => file.database.prepare('INSERT INTO entry (text) VALUES (?)').run(text));
const texts = (file: SqliteFile) =>
  file.read(() => file.database.prepare('SELECT text FROM entry').all()).map(({ text }) => text);

async function created(): Promise<void> {
  const file = await open();
  add(file);
  file.close();
}

test.each(modes)('a file keeps its rows, with %o', async (mode) => {
  const first = await open(path, mode);
  add(first);
  first.close();
  const second = await open(path, { sync: !mode.sync });
  expect(texts(second)).toEqual(['one']);
  second.close();
  expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
});

test('a transaction that throws changes nothing', async () => {
  const file = await open();
  const fail = () =>
    file.run(() => {
      file.database.exec("INSERT INTO entry (text) VALUES ('lost')");
      throw new RangeError('no');
    });
  expect(fail).toThrow(RangeError);
  add(file);
  expect(texts(file)).toEqual(['one']);
  file.close();
});

test('removes files left by processes that ended while they created them', async () => {
  writeFileSync(`${path}.new-1`, '');
  await created();
  expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
});

/** Opens the file in another process, which can be killed, reports it, and holds it until then. */
function holder(): ReturnType<typeof spawn> {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/shared/sqlite-file.ts'));
  const code = `import { SqliteFile } from ${module};
    const [path, kind] = process.argv.slice(1);
    await SqliteFile.open(path, JSON.parse(kind), { sync: false }).then(() => console.log('open'), (error) => console.log(error.message));
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, path, JSON.stringify(kind)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function firstLine(child: ReturnType<typeof spawn>): Promise<string> {
  const [data] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return String(data).trim();
}

test('of three processes that start at once, even after a kill, exactly one gets the file', async () => {
  const inUse = `${path} is in use by another process. Stop that process first.`;
  for (let round = 0; round < amounts.lockRounds; round += 1) {
    const children = [holder(), holder(), holder()];
    const lines = await Promise.all(children.map(firstLine));
    expect(lines.toSorted()).toEqual([inUse, inUse, 'open']);
    await expect(open()).rejects.toThrow(inUse);
    await Promise.all(
      children.map((child) => {
        child.kill('SIGKILL');
        return once(child, 'close');
      }),
    );
  }
  (await open()).close();
}, 600_000);

test.each<[string, () => void, RegExp]>([
  [
    'was emptied',
    () => truncateSync(path),
    /is empty, so its contents are lost\. Restore the file from a copy, or delete it/,
  ],
  ['is a text', () => writeFileSync(path, '[["","crm.deals",1,{}]]\n'.repeat(100)), /is not a SQLite database/],
  ['is a folder', () => [rmSync(path), mkdirSync(path)], /is not a file\.$/],
  ['is of another program', () => execute('PRAGMA application_id = 7'), /is not a test file\. Choose another file\.$/],
  [
    'has a newer format',
    () => execute('PRAGMA user_version = 4'),
    /was written by a newer version of Carillon \(format 4; this version supports 3\)/,
  ],
  ['lost its end', () => truncateSync(path, 4_096), /is damaged/],
  ['lost a page', () => overwrite(4_096, Buffer.alloc(4_096, 7)), /is damaged/],
])('a file that %s is invalid, with a sentence', async (_, change, message) => {
  await created();
  change();
  await expect(open()).rejects.toMatchObject({ name: 'DatabaseFileError', message: expect.stringMatching(message) });
});

function execute(statement: string): void {
  const database = new DatabaseSync(path);
  database.exec(statement);
  database.close();
}

function overwrite(at: number, bytes: Buffer): void {
  const content = readFileSync(path);
  bytes.copy(content, at);
  writeFileSync(path, content);
}

test('names a missing folder', async () => {
  await expect(open(join(folder, 'none', 'a'))).rejects.toThrow(
    `There is no folder ${join(folder, 'none')}. Create the folder first.`,
  );
});

const isRoot = process.getuid?.() === 0;

/** Opens the file as an unprivileged user, which this process cannot become for a while. */
function openAsNobody(): string {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/shared/sqlite-file.ts'));
  const code = `import { SqliteFile } from ${module};
    process.setuid(65534);
    await SqliteFile.open(process.argv[1], JSON.parse(process.argv[2]), { sync: false }).catch((error) => console.log(error.message));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code, path, JSON.stringify(kind)], {
    encoding: 'utf8',
  });
}

test.runIf(isRoot)(
  'names a file of another user, and a folder without permissions, before SQLite opens them',
  async () => {
    await created();
    execFileSync('chmod', ['755', folder]);
    expect(openAsNobody()).toBe(
      `${path} cannot be opened for reading and writing. Check its owner and its permissions.\n`,
    );
    execFileSync('chmod', ['666', path]);
    expect(openAsNobody()).toBe(`The folder ${folder} cannot be written to. Check its owner and its permissions.\n`);
  },
);

/** Mounts a small file system, because only a disk of its own can be full. Returns whether this machine permits it. */
function mount(): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0) return false;
  return true;
}

test.each(modes)('a full disk fails the change, and freeing space is enough, with %o', async (mode) => {
  // Some machines do not permit mounts.
  if (!mount()) return;
  const file = await open(path, mode);
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(300_000));
  const fill = () => {
    for (;;) add(file, 'x'.repeat(10_000));
  };
  expect(fill).toThrow(`The disk is full, so ${path} could not be changed. Free some space and try again.`);
  const stored = texts(file).length;
  expect(stored).toBeGreaterThan(10);
  rmSync(join(folder, 'ballast'));
  add(file);
  expect(texts(file)).toHaveLength(stored + 1);
  file.close();
  const again = await open(path, mode);
  expect(texts(again)).toHaveLength(stored + 1);
  again.close();
});

/** Bytes of a frame of the log: a page with 24 bytes before it. The log begins with 32 bytes. */
const frame = 4_120;

/** Leaves the log of a killed process: `count` transactions of one page each, after the first one, which creates the log. */
async function killedWith(count: number): Promise<Buffer> {
  const file = await open(path, { sync: true });
  for (let number = 0; number < count; number += 1) add(file, `text ${number}`);
  // A copy is what a kill leaves.
  for (const suffix of ['', '-wal']) cpSync(`${path}${suffix}`, `${path}.copy${suffix}`);
  file.close();
  for (const suffix of ['', '-wal']) renameSync(`${path}.copy${suffix}`, `${path}${suffix}`);
  return readFileSync(`${path}-wal`);
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
};

test('a log with a damaged end is what a kill can leave: the confirmed transactions before it are kept', async () => {
  const log = await killedWith(8);
  const before = readFileSync(path);
  const last = (log.length - 32) / frame;
  const start = 32 + (last - 1) * frame;
  const ends = [
    flipped(log, start),
    flipped(log, log.length - 1),
    log.subarray(0, start + 100),
    log.subarray(0, start),
  ];
  for (const end of ends) {
    writeFileSync(path, before);
    writeFileSync(`${path}-wal`, end);
    const file = await open();
    expect(texts(file)).toEqual(Array.from({ length: 7 }, (_, number) => `text ${number}`));
    file.close();
  }
});

test('the log is folded into the file when it is opened, and at least every 50 pages', async () => {
  await killedWith(30);
  const file = await open(path, { sync: true });
  expect(statSync(`${path}-wal`).size).toBe(0);
  for (let number = 0; number < 120; number += 1) add(file, 'x'.repeat(3_000));
  expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(32 + 60 * frame);
  // The file alone.
  cpSync(path, `${path}.copy`);
  file.close();
  const copy = await open(`${path}.copy`);
  expect(texts(copy).length).toBeGreaterThanOrEqual(30 + 120 - 50);
  copy.close();
});

test.each(modes)('the file and its log are readable by their owner only, with %o', async (mode) => {
  const file = await open(path, mode);
  add(file);
  const names = readdirSync(folder);
  expect(names).toHaveLength(2);
  expect(names.map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))).toEqual(['600', '600']);
  file.close();
});

test('a file of another program is invalid, and stays as it is', async () => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE own (id INTEGER)');
  database.close();
  const before = readFileSync(path);
  await expect(open(path, { sync: true })).rejects.toThrow('is not a test file. Choose another file.');
  expect([readFileSync(path).equals(before), readdirSync(folder)]).toEqual([true, ['data.sqlite']]);
});

test.each([
  ['database is locked', 'is in use by another process. Stop that process first.'],
  ['database or disk is full', 'The disk is full'],
  ['unable to open database file: /x', 'cannot be written. Check its owner'],
  ['database disk image is malformed', 'is damaged'],
])("Deno's error without a code gets the same sentence: %s", async (text, sentence) => {
  const file = await open();
  const explained = file.explain(Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR' }));
  expect(explained).toMatchObject({ name: 'DatabaseFileError', message: expect.stringContaining(sentence) });
  file.close();
});
