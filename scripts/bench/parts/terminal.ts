import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../spec/files.ts';
import { interleave } from '../interleave.ts';
import { addresses } from '../responses/responses.ts';
import { withResponseServer } from '../responses/with-response-server.ts';
import type { BenchPart } from '../results.ts';
import { peersFolder } from '../run-peer.ts';
import { buildTable } from '../table.ts';

const command = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');
const dealId = Number(addresses.deal.split('/').at(-1));
const withClient = 'a program with carillon';

/** Subject → arguments of Node. All but the first and the last read the same deal. */
const subjects: Record<string, string[]> = {
  'an empty program': program(''),
  'a program with raw fetch': program(`
const headers = { authorization: 'Bearer ' + process.env.CARILLON_API_KEY };
const response = await fetch(process.env.CARILLON_BASE_URL + '${addresses.deal}', { headers });
console.log(JSON.stringify((await response.json()).data, null, 2));`),
  [withClient]: program(`
import { createClient } from 'carillon';
const { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: apiKey } = process.env;
const api = createClient({ baseUrl, auth: { apiKey } });
console.log(JSON.stringify(await api.crm.deals.get({ dealId: ${dealId} }), null, 2));`),
  'carillon crm deals get': [command, 'crm', 'deals', 'get', String(dealId)],
  'carillon --help': [command, '--help'],
};

/** The command beside programs for one task, each in a process of its own. */
export const terminal: BenchPart = {
  title: 'The command',
  measure: ({ quick, report }) =>
    withResponseServer(async (url) => {
      report('Running programs and the command …');
      const runs = Object.entries(subjects).map(
        ([subject, args]) => [subject, () => processorTime(args, url)] as const,
      );
      const samples = await interleave(Object.fromEntries(runs), quick ? 1 : 25);
      const column = { title: 'processor time', unit: 'ms', better: 'lower' as const, baseline: withClient, samples };
      const note = 'One process from its start to its end: it reads a deal over loopback and prints it as JSON.';
      return { tables: [buildTable('A call from a terminal', Object.keys(subjects), [column], note)], versions: {} };
    }),
};

function program(source: string): string[] {
  return ['--input-type=module', '--eval', source];
}

/** Prints the processor time of the process, of all its threads, in a last line. */
const meter = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(1, '\\n' + JSON.stringify(process.cpuUsage())));`)}`;

/** Milliseconds of processor time that a process of Node uses. */
async function processorTime(args: readonly string[], url: string): Promise<number> {
  const env = { ...process.env, NODE_OPTIONS: '', CARILLON_BASE_URL: url, CARILLON_API_KEY: 'any' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', meter, ...args], {
    cwd: peersFolder,
    env,
    timeout: 60_000,
  });
  const { user, system }: NodeJS.CpuUsage = JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
  return (user + system) / 1_000;
}
