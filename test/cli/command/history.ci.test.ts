import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hashOf, readHistory } from '../../../src/cli/command/history-file.ts';

const source = new URL('../../../src/cli/command/history-file.ts', import.meta.url).href;
const calls = 40;

/** Starts a process, because only processes write at once. It waits for a line, and then records calls about a number of its own. */
function startWriter(folder: string, own: number) {
  const program = `
    import { HistoryEntry } from ${JSON.stringify(source)};
    const method = { name: 'writer${own}', inPath: {}, people: { fields: ['phone'] } };
    const connection = { profile: 'live', baseUrl: 'https://api.example.com' };
    const io = { stateFolder: ${JSON.stringify(folder)}, note: (text) => process.stderr.write(text) };
    process.stdout.write('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    for (let at = 0; at < ${calls}; at += 1)
      new HistoryEntry(method, { phone: ${own} }, connection, io).done({ id: at });
    process.stdin.destroy();`;
  const args = ['--conditions=carillon-source', '--input-type=module', '--eval', program];
  const writer = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  return { ready: once(writer.stdout, 'data'), go: () => void writer.stdin.end('go'), end: once(writer, 'exit') };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function writeAtOnce(folder: string): Promise<void> {
  const writers = [1, 2, 3, 4].map((own) => startWriter(folder, own));
  await Promise.all(writers.map(({ ready }) => ready));
  for (const { go } of writers) go();
  await Promise.all(writers.map(({ end }) => end));
}

const old = { time: '2020-01-01T00:00:00.000Z', account: 'live', method: 'old', outcome: 'done' };

it.each<[string, (file: string) => void]>([
  ['has all calls, and one key for their hashes, if it did not exist', () => undefined],
  [
    'has all calls although an old one is forgotten, its last line was cut, and a command ended while it wrote',
    (file) => {
      writeFileSync(file, `{"key":"k"}\n${JSON.stringify(old)}\n{"t`, { mode: 0o600 });
      writeFileSync(`${file}.lock`, '');
      utimesSync(`${file}.lock`, 0, 0);
    },
  ],
])('a history that four commands write at once %s', async (_, prepare) => {
  const folder = newFolder();
  const file = join(folder, 'history.ndjson');
  prepare(file);
  await writeAtOnce(folder);
  const { key, entries } = readHistory(file, Date.now());
  for (const own of [1, 2, 3, 4]) {
    const written = entries.filter(({ method }) => method === `writer${own}`);
    expect(written.map(({ ids }) => ids?.[0])).toEqual(Array.from({ length: calls }, (_, at) => at));
    expect(new Set(written.flatMap(({ people }) => people?.hashes ?? []))).toEqual(new Set([hashOf(own, key)]));
  }
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4 * calls + 2);
  expect(readdirSync(folder)).toEqual(['history.ndjson']);
});
