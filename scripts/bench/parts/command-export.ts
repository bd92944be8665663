import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';
import { interleave } from '../interleave.ts';
import { type Run, runProgram, type Usage } from '../programs/run-program.ts';
import { withReplyServer } from '../replies/start.ts';
import { withFolder } from '../servers/restart.ts';
import { buildTable, cellOf } from '../table.ts';
import type { Part } from './part.ts';

const guide = 'the program of the guide';
const command = 'carillon crm contacts list --all';

/** Milliseconds that the server waits before each page. */
const delay = 5;
const sizes = { small: 10_000, large: 100_000 };
const mostTime = 1.2;
/** What counts as flat: so many times the live memory of the smaller export. */
const flat = 1.1;

type Outcome = Usage & { seconds: number };

/** The command against the program that the guide on exports shows. Each is a process, from its start to its end. */
export const commandExport: Part = {
  title: 'Export in a terminal',
  async measure({ quick, report }) {
    const sized = quick ? { small: 500, large: 2_000 } : sizes;
    const rounds = quick ? 1 : 7;
    const run = (contacts: number, turns: number, collect: boolean): Promise<Record<string, Outcome[]>> => {
      report(`Exporting ${count(contacts)} contacts ${collect ? 'and collecting ' : ''}…`);
      return withFolder((folder) =>
        withReplyServer({ contacts, delay }, (url) => {
          prepare(folder, url);
          const programs = programsOf(folder, url, collect, contacts);
          return interleave(programs, turns);
        }),
      );
    };
    const timed = await run(sized.large, rounds, false);
    const small = await run(sized.small, 1, true);
    const large = await run(sized.large, 1, true);
    const lower = { better: 'lower' as const, baseline: guide };
    const megabytes = (outcomes: typeof timed) => pick(outcomes, ({ liveBytes }) => liveBytes / 1e6);
    const table = buildTable(
      `Writing ${count(sized.large)} contacts to a file, one JSON document per line`,
      [guide, command],
      [
        { title: 'time', unit: 's', ...lower, samples: pick(timed, ({ seconds }) => seconds) },
        { title: 'processor time', unit: 's', ...lower, samples: pick(timed, (each) => each.processorSeconds) },
        { title: 'peak memory', unit: 'MB', ...lower, samples: pick(timed, ({ peakBytes }) => peakBytes / 1e6) },
        { title: liveTitle(sized.small), unit: 'MB', ...lower, samples: megabytes(small) },
        { title: liveTitle(sized.large), unit: 'MB', ...lower, samples: megabytes(large) },
      ],
      `The server waits ${delay} ms before each page. Time includes the start of the process. The program of the guide keeps the IDs, because it also finds contacts that move between pages. Live heap is the most that was in use right after a collection, in a run of its own.`,
    );
    const { ratio = Number.NaN } = cellOf(table, command, 'time');
    const growth =
      cellOf(table, command, liveTitle(sized.large)).median / cellOf(table, command, liveTitle(sized.small)).median;
    return {
      tables: [table],
      goals: [
        {
          text: `At most ${mostTime} × the time of the program of the guide`,
          figure: `${ratio.toFixed(2)} ×`,
          met: ratio <= mostTime,
        },
        {
          text: `Memory is flat: ten times the contacts need at most ${flat} times the live heap`,
          figure: `${growth.toFixed(2)} ×`,
          met: growth <= flat,
        },
      ],
      versions: {},
    };
  },
};

/** The program as the guide shows it, and the package where it imports it. */
function prepare(folder: string, url: string): void {
  const page = readFileSync(join(repositoryRoot, 'docs', 'guides', 'export-contacts.md'), 'utf8');
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const address = 'http://127.0.0.1:4012';
  if (!code.includes(address)) throw new Error('The guide has no program with the address of the sandbox');
  writeFileSync(join(folder, 'export-contacts.mts'), code.replace(address, url));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repositoryRoot, join(folder, 'node_modules', 'carillon'), 'junction');
}

function programsOf(folder: string, url: string, collect: boolean, contacts: number) {
  const env = { CARILLON_BASE_URL: url, CARILLON_API_KEY: 'any' };
  const run = async (args: readonly string[], output: string, exported: string): Promise<Outcome> => {
    const task: Run = { folder, env, output, collect };
    const outcome = await runProgram(args, task);
    const lines = readFileSync(join(folder, exported), 'utf8').split('\n').length - 1;
    if (lines !== contacts) throw new Error(`${args[0]} wrote ${lines} of ${contacts} contacts`);
    return outcome;
  };
  const binary = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');
  const words = ['crm', 'contacts', 'list', '--all', '--output', 'ndjson'];
  const sorted = ['--sort-by', 'fieldName=id', '--sort-by', 'direction=asc'];
  return {
    [guide]: () => run(['export-contacts.mts'], 'progress.txt', 'contacts.ndjson'),
    [command]: () => run([binary, ...words, ...sorted], 'command.ndjson', 'command.ndjson'),
  };
}

function liveTitle(contacts: number): string {
  return `live heap, ${count(contacts)} contacts`;
}

function count(contacts: number): string {
  return contacts.toLocaleString('en-GB');
}

function pick(outcomes: Record<string, Outcome[]>, figure: (outcome: Outcome) => number): Record<string, number[]> {
  return Object.fromEntries(Object.entries(outcomes).map(([name, list]) => [name, list.map(figure)]));
}
