/**
 * `npm run bench:sandbox`: how many requests the sandbox answers, side by side with the mock and Prism, and how its lists
 * grow with the number of contacts. Prints Markdown; takes less than a minute.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../spec/files.ts';
import { measureInProcess, measureLists } from './in-process.ts';
import { measureThroughput } from './load.ts';
import { requestOf, requestsOf } from './requests.ts';
import { formatTable } from './table.ts';
import { startMock, startPrism, startSandbox } from './targets.ts';

const requests = [
  { title: 'read: get a deal', request: requestOf('getDeal') },
  { title: 'validated write: create a deal', request: requestOf('createDeal') },
  { title: 'validated write: update a deal', request: requestOf('updateDeal') },
];
const targets = [
  { title: 'sandbox', start: startSandbox },
  { title: 'mock of this project', start: startMock },
  { title: 'Prism', start: startPrism },
];
const sizes = [100, 10_000, 100_000];

async function measureServed(): Promise<string> {
  const columns: number[][] = [];
  for (const { title, start } of targets) {
    console.error(`Measuring: ${title}, served …`);
    const target = await start();
    try {
      columns.push(
        await measureThroughput(
          target.url,
          requests.map(({ request }) => request),
        ),
      );
    } finally {
      await target.stop();
    }
  }
  console.error('Measuring: sandbox, in process …');
  const rows: string[][] = [];
  for (const [row, { title, request }] of requests.entries()) {
    const served = columns.map((column) => column[row] ?? Number.NaN);
    const [sandbox = Number.NaN] = served;
    const prism = served.at(-1) ?? Number.NaN;
    const inProcess = await measureInProcess(request);
    rows.push([title, ...[...served, inProcess].map(formatCount), `${(sandbox / prism).toFixed(1)}×`]);
  }
  return formatTable(
    ['requests per second', ...targets.map(({ title }) => title), 'sandbox in process', 'sandbox to Prism'],
    rows,
  );
}

async function measureContacts(): Promise<string> {
  const lists = requestsOf('listContacts');
  const columns: number[][] = [];
  for (const size of sizes) {
    console.error(`Measuring: lists of ${formatCount(size)} contacts …`);
    columns.push(await measureLists(size, lists));
  }
  const rows = lists.map(({ name }, row) => [name, ...columns.map((column) => (column[row] ?? Number.NaN).toFixed(2))]);
  return formatTable(['contact list, median ms', ...sizes.map(formatCount)], rows);
}

function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function describeMachine(): string {
  const [cpu] = cpus();
  const versions = ['@stoplight/prism-cli', 'autocannon'].map((name) => `${name} ${readVersion(name)}`);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}, ${versions.join(', ')}; 10 connections.`;
}

function readVersion(name: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(repositoryRoot, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return version;
}

try {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const parts = { served: measureServed, lists: measureContacts };
  const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name);
  if (chosen.length === 0) throw new Error(`--only takes one of: ${Object.keys(parts).join(', ')}`);
  const tables: string[] = [];
  for (const [, measure] of chosen) tables.push(await measure());
  console.log([describeMachine(), ...tables].join('\n\n'));
} catch (error) {
  console.error(`Nothing was measured: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
