import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';
import { interleave } from '../interleave.ts';
import { type BenchRequest, requestOf, requestsOf } from '../requests.ts';
import type { Goal, Measured } from '../results.ts';
import { runCommand } from '../run-peer.ts';
import { sendFaultyLoad } from '../servers/faulty-load.ts';
import { createTimer } from '../servers/in-process.ts';
import { findAddress, sendLoad } from '../servers/load.ts';
import { measureRestart, withFolder } from '../servers/restart.ts';
import { startPrism, startSandbox, type Target } from '../servers/targets.ts';
import { summarize } from '../statistics.ts';
import { buildTable, cellOf, type Table } from '../table.ts';
import { readVersions } from '../versions.ts';
import type { Part } from './part.ts';

/** What a team that shares a sandbox for a week depends on. */
export const sharedSandbox: Part = {
  title: 'A sandbox that a team shares',
  async measure({ quick, report }) {
    report('Writing with --data …');
    const writes = await measureWrites(quick);
    report('Reading the newest contacts, and finding one …');
    const lists = await measureIndexed(quick);
    report('Starting on a folder …');
    const start = await judgeRestart(quick ? 10_000 : 1_000_000);
    report('Creating and deleting …');
    const churn = await judgeChurn(quick ? 1_000 : 1_000_000);
    report('Answering with faults …');
    const faulty = await judgeFaults(quick ? 2 : 60);
    return {
      tables: [writes.table, lists.table],
      goals: [...writes.goals, ...lists.goals, ...start, churn, faulty],
      versions: readVersions(['@stoplight/prism-cli', 'autocannon']),
    };
  },
};

type Judged = Pick<Measured, 'goals'> & { table: Table };

const stored = 'carillon sandbox, --data';
const synced = 'carillon sandbox, --data and --data-sync';
const inMemory = 'carillon sandbox, in memory';
const prism = "Prism's command line";
/** How many times as many writes as Prism. */
const fewestTimes = 4;

function measureWrites(quick: boolean): Promise<Judged> {
  const request = requestOf('createDeal');
  const title = 'create a deal';
  return withFolder(async (folder) => {
    const targets: Record<string, Target> = {};
    try {
      targets[inMemory] = await startSandbox(['--quiet']);
      targets[stored] = await startSandbox(['--quiet', '--data', join(folder, 'stored')]);
      targets[synced] = await startSandbox(['--quiet', '--data', join(folder, 'synced'), '--data-sync']);
      targets[prism] = await startPrism();
      const turns: Record<string, () => Promise<number>> = {};
      for (const [name, { url }] of Object.entries(targets)) {
        const address = await findAddress(url, request);
        const load = async () => (await sendLoad(address, request, quick ? 1 : 2)).requestsPerSecond;
        await load();
        turns[name] = load;
      }
      const samples = await interleave(turns, quick ? 1 : 7);
      const column = { title, unit: 'requests/s', better: 'higher' as const, baseline: prism, samples };
      const table = buildTable('Writes per second over ten connections', Object.keys(targets), [column]);
      const { ratio = 0 } = cellOf(table, stored, title);
      const text = `With --data at least ${fewestTimes} × the validated writes of Prism`;
      return { table, goals: [{ text, figure: `${ratio.toFixed(1)} ×`, met: ratio >= fewestTimes }] };
    } finally {
      for (const target of Object.values(targets)) await target.stop();
    }
  });
}

const contacts = 100_000;
/** Milliseconds for a list that has an index. */
const mostIndexed = 2;

async function measureIndexed(quick: boolean): Promise<Judged> {
  const [newest] = requestsOf('listContacts');
  if (!newest) throw new Error('listContacts has no example');
  const search = (body: object): BenchRequest => ({ ...newest, body: JSON.stringify(body) });
  const requests: Record<string, BenchRequest> = {
    'the first page, newest first': newest,
    'search by email': search({ email: 'ann.kowal@example.com' }),
    'search by phone': search({ phone: '+15550100123' }),
  };
  const time = await createTimer(quick ? 1_000 : contacts);
  // The first use of an index builds it.
  for (const request of Object.values(requests)) await time(request);
  const turns = Object.entries(requests).map(([name, request]) => [name, () => time(request)] as const);
  const samples = await interleave(Object.fromEntries(turns), quick ? 2 : 101);
  const column = { title: `${count(contacts)} contacts`, unit: 'ms', better: 'lower' as const, samples };
  const table = buildTable('Lists with an index, by the sandbox in process', Object.keys(requests), [column]);
  const goals = Object.entries(samples).map(([name, values]): Goal => {
    const { median } = summarize(values);
    const text = `${count(contacts)} contacts, ${name}: within ${mostIndexed} ms`;
    return { text, figure: `${median.toFixed(2)} ms`, met: median <= mostIndexed };
  });
  return { table, goals };
}

async function judgeRestart(size: number): Promise<Goal[]> {
  const { seconds, processorSeconds = Number.NaN, peakBytes = Number.NaN } = await measureRestart(size);
  const start = {
    text: `${count(size)} contacts, and as many emails and subscribers: starts within 15 s from --data`,
    figure: `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)} s of processor time)`,
  };
  const memory = {
    text: `${count(size)} contacts: at most 2 GB of memory`,
    figure: `${(peakBytes / 1e9).toFixed(2)} GB`,
  };
  return [
    { ...start, met: seconds <= 15 },
    { ...memory, met: peakBytes <= 2e9 },
  ];
}

async function judgeChurn(pairs: number): Promise<Goal> {
  const program = join(repositoryRoot, 'scripts', 'bench', 'servers', 'churn.ts');
  const output = await runCommand(process.execPath, ['--expose-gc', program, String(pairs)], repositoryRoot);
  const { early, late }: { early: number; late: number } = JSON.parse(output);
  const text = `${count(pairs)} contacts created and deleted: at most 1.1 × the live heap after a tenth of them`;
  return { text, figure: `${(late / early).toFixed(2)} ×`, met: late <= 1.1 * early };
}

async function judgeFaults(seconds: number): Promise<Goal> {
  const { url, stop } = await startSandbox(['--quiet']);
  const { requests, unexpected } = await sendFaultyLoad(url, 50, seconds).finally(stop);
  const text = `50 connections for ${seconds} s with dropped, refused and delayed requests: no error that no fault explains`;
  return { text, figure: `${unexpected} of ${count(requests)}`, met: unexpected === 0 };
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}
