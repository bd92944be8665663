import { interleave } from '../interleave.ts';
import { requestOf } from '../requests.ts';
import type { Goal } from '../results.ts';
import { createInProcessLoad } from '../servers/in-process.ts';
import { measureLists } from '../servers/lists.ts';
import { checksBodies, findAddress, type Load, sendLoad } from '../servers/load.ts';
import { startMock, startPrism, startSandbox, startScalar, type Target } from '../servers/targets.ts';
import { buildTable, cellOf, type MeasuredColumn, type Table } from '../table.ts';
import { readVersions } from '../versions.ts';
import type { Part, Settings } from './part.ts';

const sandbox = 'carillon sandbox';
const inProcess = 'carillon sandbox, in process';
const prism = "Prism's command line";
const targets: Record<string, () => Promise<Target>> = {
  [sandbox]: () => startSandbox(),
  'carillon mock': startMock,
  [prism]: startPrism,
  '@scalar/mock-server': startScalar,
};

const tasks = [
  { title: 'read: get a deal', request: requestOf('getDeal'), validated: false, fewest: 10_000, chart: 'server-read' },
  {
    title: 'validated write: create a deal',
    request: requestOf('createDeal'),
    validated: true,
    fewest: 5_000,
    chart: 'server-write',
  },
  { title: 'validated write: update a deal', request: requestOf('updateDeal'), validated: true, fewest: 5_000 },
];
type Task = (typeof tasks)[number];

const fewestInProcess = 20_000;

export const servers: Part = {
  title: 'Mock and sandbox',
  async measure(settings) {
    const throughput = await measureThroughput(settings);
    settings.report('Measuring lists …');
    const lists = await measureLists(settings.quick);
    return {
      tables: [...throughput, lists.table],
      goals: [...judgeThroughput(throughput), ...lists.goals],
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
    const measure = await createInProcessLoad(task.request);
    const { own = [] } = await interleave({ own: measure }, quick ? 1 : 9);
    const pick = (figure: keyof Load) =>
      Object.fromEntries(Object.entries(loads).map(([name, list]) => [name, list.map((load) => load[figure])]));
    const { title, chart } = task;
    rates.push({
      title,
      unit: 'requests/s',
      better: 'higher',
      baseline: prism,
      ...(chart && { chart }),
      samples: { ...pick('requestsPerSecond'), [inProcess]: own },
      leftOut,
    });
    delays.push({ title, unit: 'ms', better: 'lower', baseline: prism, samples: pick('p99'), leftOut });
  }
  const served = Object.keys(targets);
  const note = 'In process: one request after the other, without a network.';
  return [
    buildTable('Requests per second over ten connections', [...served, inProcess], rates, note),
    buildTable('Time in which 99 of 100 requests are answered, over ten connections', served, delays),
  ];
}

/** Starts them again for each task, so that no task sees what another one created. */
async function withServers<Result>(measure: (running: Record<string, Target>) => Promise<Result>): Promise<Result> {
  const running: Record<string, Target> = {};
  try {
    for (const [name, start] of Object.entries(targets)) running[name] = await start();
    return await measure(running);
  } finally {
    for (const target of Object.values(running)) await target.stop();
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
    // A server is warm before it counts: the compiler needs some seconds.
    await sendLoad(address, request, quick ? 1 : 3);
    turns[name] = () => sendLoad(address, request, quick ? 1 : 2);
  }
  return { loads: await interleave(turns, quick ? 1 : 7), leftOut };
}

function judgeThroughput(tables: Table[]): Goal[] {
  const [rates] = tables;
  if (!rates) return [];
  return tasks.flatMap(({ title, fewest }) => [
    judge(rates, sandbox, title, fewest),
    judge(rates, inProcess, title, fewestInProcess),
  ]);
}

function judge(rates: Table, subject: string, task: string, fewest: number): Goal {
  const { median } = cellOf(rates, subject, task);
  const count = (value: number): string => Math.round(value).toLocaleString('en-GB');
  return {
    text: `${subject}, ${task}: at least ${count(fewest)} requests/s`,
    figure: count(median),
    met: median >= fewest,
  };
}
