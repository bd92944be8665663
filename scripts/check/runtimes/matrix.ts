import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec } from '../../spec/model.ts';
import type { Project } from './package.ts';
import { cache, runtimeCommand } from './provide.ts';

/** One command in an installed project. */
export interface Run {
  name: string;
  project: Project;
  command: string[];
  environment?: Record<string, string>;
  /** The last output on stdout. Compilers print nothing, and Jest reports on stderr. */
  prints: string;
}

/** Printed by `tracing.ts` if all span trees are correct. */
const trees = 'plain retry replay deadline abort parent';

/** Printed by `program.ts` if everything works. */
export const everything = 'method list attachment rejection abort fetch';

const nodes = {
  'Node 20.19': runtimeCommand('node-20', 'bin', 'node'),
  // The oldest with SQLite, for jobs.
  'Node 22.13': runtimeCommand('node-22.13', 'bin', 'node'),
  'Node 22': runtimeCommand('node-22', 'bin', 'node'),
  // The Node that this repository uses.
  'Node 24': join(repositoryRoot, 'node_modules', 'node', 'bin', 'node'),
  'Node 26': runtimeCommand('node-26', 'bin', 'node'),
};

/** The fetch of Node itself, and undici from npm. */
const senders: Record<string, string[]> = {
  "Node's fetch": [],
  'undici 6': [runtimeCommand('undici-6')],
  'undici 7': [runtimeCommand('undici-7')],
  // Needs Node 22.19.
  'undici 8': [runtimeCommand('undici-8')],
};

/** Printed by `sent.js` if no call that was processed is reported as not sent. */
const nothingMissed = 'nothing missed';

/** Printed by `mock.js` if each of its requests gets the same bytes as on the Node of this repository. */
export const sameResponses = `${6 * specNames.flatMap((name) => listOperations(loadSpec(name))).length} responses are the same`;

/** The error of jobs on a Node without SQLite. */
const withoutSqlite = 'A carillon-jobs file needs Node 22.13 or newer: Node v20.19.0 does not include SQLite.';

const deno = runtimeCommand('.bin', 'deno');
const denoEnvironment = { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(cache, 'deno') };

/** Path of a program in an installed package. */
function binary(name: string, program: string): string {
  return join('node_modules', name, 'dist', 'bin', `${program}.js`);
}

const { version }: { version: string } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));

/** Omits `tsconfig.node10`, because TypeScript 7 has removed that module resolution. */
const configurations = ['tsconfig', 'tsconfig.node16', 'tsconfig.exact', 'tsconfig.bundler'];

/** Of the versions of Node, the oldest two limits and the newest. The nightly run has all. */
const ofChange = ['Node 20.19', 'Node 22.13', 'Node 26'];

/**
 * Runs the package on every supported runtime and compiler.
 *
 * @param all - also versions of Node between the oldest and the newest, and each undici on each Node
 */
export function listRuns(baseUrl: string, { all }: { all: boolean }): Run[] {
  const types = { project: 'typescript', prints: '' } as const;
  const bun = runtimeCommand('.bin', 'bun');
  return [
    ...Object.entries(nodes)
      .filter(([name]) => all || ofChange.includes(name))
      .flatMap(([name, node]) => listNodeRuns(name, node, baseUrl, all)),
    programRun('Bun', [bun, 'main.js', baseUrl]),
    programRun('Bun, jobs of two processes', [bun, 'jobs.js', baseUrl], 'done'),
    {
      ...programRun('Deno, network only', [deno, 'run', '--no-prompt', '--allow-net=127.0.0.1', 'main.js', baseUrl]),
      environment: denoEnvironment,
    },
    {
      ...programRun(
        'Deno, jobs of two processes',
        [deno, 'run', '--no-prompt', '--allow-all', 'jobs.js', baseUrl],
        'done',
      ),
      environment: denoEnvironment,
    },
    {
      ...programRun('workerd', [runtimeCommand('.bin', 'workerd'), 'test', 'worker.capnp']),
      environment: { BASE_URL: baseUrl },
    },
    {
      project: 'jest',
      prints: '',
      name: "Jest, the guides' tests",
      // By default, its cache is in the temporary folder.
      command: [nodes['Node 24'], runtimeCommand('jest', 'bin', 'jest.js'), '--cacheDirectory=.jest'],
    },
    {
      ...types,
      name: 'TypeScript 5.3, the oldest, with all declarations checked',
      command: [nodes['Node 24'], runtimeCommand('typescript-5.3', 'bin', 'tsc'), '-p', 'tsconfig.node16.json'],
    },
    ...configurations.map((configuration) => ({
      ...types,
      name: `TypeScript 7, ${configuration}`,
      command: [runtimeCommand('typescript-7', 'bin', 'tsc'), '-p', `${configuration}.json`],
    })),
    {
      ...types,
      name: 'Deno check',
      command: [deno, 'check', '--quiet', 'use.ts', 'augmentation.ts'],
      environment: denoEnvironment,
    },
  ];
}

function listNodeRuns(name: string, node: string, baseUrl: string, all: boolean): Run[] {
  const call = '--sandbox crm deals get 501 --output csv --columns id'.split(' ');
  const known = Object.entries(senders).filter(
    ([sender]) =>
      !(['Node 20.19', 'Node 22.13'].includes(name) && sender === 'undici 8') &&
      (all || name === 'Node 26' || sender === "Node's fetch"),
  );
  return [
    programRun(name, [node, 'main.js', baseUrl]),
    programRun(`${name}, require()`, [node, 'main.cjs', baseUrl]),
    { project: 'tracing', name: `${name}, OpenTelemetry`, command: [node, 'tracing.js'], prints: trees },
    programRun(`${name}, the command carillon`, [node, binary('carillon-cli', 'carillon'), ...call], '501'),
    programRun(`${name}, carillon-jobs`, [node, binary('carillon-jobs', 'carillon-jobs'), '--version'], version),
    programRun(`${name}, the mock`, [node, 'mock.js', baseUrl], sameResponses),
    programRun(`${name}, stack traces`, [node, 'stacks.js'], 'done'),
    programRun(
      `${name}, jobs of two processes`,
      // Garbage is collected while rows are read.
      [node, '--gc-interval=500', 'jobs.js', baseUrl],
      name === 'Node 20.19' ? withoutSqlite : 'done',
    ),
    ...known.map(([sender, args]) =>
      programRun(`${name}, what was sent, ${sender}`, [node, 'sent.js', ...args], nothingMissed),
    ),
  ];
}

function programRun(name: string, command: string[], prints = everything): Run {
  return { project: 'program', name, command, prints };
}
