import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave } from '../interleave.ts';
import { requestOf } from '../requests.ts';
import type { BenchPart, Settings } from '../results.ts';
import { readVersions } from '../run-peer.ts';
import { checksBodies, findAddress, type Load, sendLoad } from '../servers/load.ts';
import { startMock, startPrism, startSandbox, startScalar, type Target } from '../servers/targets.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';
import { measureFirstPages } from './first-page.ts';

const prism = "Prism's command line";
/** The servers, by name. A server may write into the folder. */
const targets: Record<string, (folder: string) => Promise<Target>> = {
  'carillon sandbox': () => startSandbox(),
  'carillon sandbox, --data': (folder) => startSandbox(['--data', folder]),
  'carillon mock': startMock,
  [prism]: startPrism,
  '@scalar/mock-server': startScalar,
};

const tasks = [
  { title: 'read: get a deal', request: requestOf('getDeal'), validated: false, chart: 'server-read' },
  {
    title: 'validated write: create a deal',
    request: requestOf('createDeal'),
    validated: true,
    chart: 'server-write',
  },
  { title: 'validated write: update a deal', request: requestOf('updateDeal'), validated: true },
];
type Task = (typeof tasks)[number];

export const servers: BenchPart = {
  title: 'Mock and sandbox',
  async measure(settings) {
    return {
      tables: [...(await measureThroughput(settings)), await measureFirstPages(settings)],
      versions: readVersions(['@stoplight/prism-cli', '@scalar/mock-server', '@hono/node-server', 'autocannon']),
    };
  },
};

async function measureThroughput({ quick, report }: Settings): Promise<Table[]> {
  const rates: MeasuredColumn[] = [];
  const delays: MeasuredColumn[] = [];
  for (const task of tasks) {
    report(`${task.title} …`);
    const { loads, leftOut } = await withServers((running) => measureServed(running, task, quick));
    const pick = (figure: keyof Load) =>
      Object.fromEntries(Object.entries(loads).map(([name, list]) => [name, list.map((load) => load[figure])]));
    const { title, chart } = task;
    rates.push({
      title,
      unit: 'requests/s',
      better: 'higher',
      baseline: prism,
      ...(chart && { chart }),
      samples: pick('requestsPerSecond'),
      leftOut,
    });
    delays.push({ title, unit: 'ms', better: 'lower', baseline: prism, samples: pick('p99'), leftOut });
  }
  const served = Object.keys(targets);
  const note = 'With --data, the sandbox keeps its records in a folder.';
  return [
    buildTable('Requests per second over ten connections', served, rates, note),
    buildTable('Time in which 99 of 100 requests are answered, over ten connections', served, delays),
  ];
}

/** Starts the servers again for each task, so that no task sees data of another one. */
async function withServers<Result>(measure: (running: Record<string, Target>) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const running: Record<string, Target> = {};
  try {
    for (const [name, start] of Object.entries(targets)) running[name] = await start(folder);
    return await measure(running);
  } finally {
    for (const target of Object.values(running)) await target.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Served {
  loads: Record<string, Load[]>;
  leftOut: Record<string, string>;
}

async function measureServed(
  running: Record<string, Target>,
  { request, validated }: Task,
  quick: boolean,
): Promise<Served> {
  const leftOut: Record<string, string> = {};
  const turns: Record<string, () => Promise<Load>> = {};
  for (const [name, { url }] of Object.entries(running)) {
    const address = await findAddress(url, request);
    if (validated && !(await checksBodies(address, request))) {
      leftOut[name] = 'does not check the body';
      continue;
    }
    // Warm up the server, since the compiler needs some seconds.
    await sendLoad(address, request, quick ? 1 : 3);
    turns[name] = () => sendLoad(address, request, quick ? 1 : 2);
  }
  return { loads: await interleave(turns, quick ? 1 : 7), leftOut };
}
