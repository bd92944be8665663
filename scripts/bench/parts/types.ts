import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { specNames } from '../../spec/files.ts';
import { listOperations, loadSpec } from '../../spec/model.ts';
import { interleave } from '../interleave.ts';
import { writePrograms } from '../programs.ts';
import type { BenchPart } from '../results.ts';
import { benchFolder, peersFolder, readVersions, runCommand } from '../run-peer.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';

const folder = join(peersFolder, 'generated', 'programs');
const compilers = [
  { title: 'TypeScript 5', path: createRequire(import.meta.url).resolve('typescript/bin/tsc'), chart: 'types-5' },
  { title: 'TypeScript 7', path: join(benchFolder, 'node_modules', 'typescript-7', 'bin', 'tsc'), chart: 'types-7' },
];
const note =
  'A program that calls each operation once, with strict and skipLibCheck. openapi-fetch has the same declarations as Carillon; the sources of @hey-api/openapi-ts belong to its program. The cost of the compiler itself is in the first row, and in all others.';

export const types: BenchPart = {
  title: 'Type cost',
  async measure({ quick, report }) {
    const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
    const programs = { 'nothing but the compiler': 'export {};\n', ...writePrograms(operations) };
    const tables: Table[] = [];
    for (const { title, path, chart } of compilers) {
      report(`Checking with ${title} …`);
      const runs = Object.entries(programs).map(([style, program], index) => {
        const configuration = writeProject(folder, `program-${index}`, program);
        return [style, () => compile(path, configuration, folder)] as const;
      });
      const costs = await interleave(Object.fromEntries(runs), quick ? 1 : 7);
      const heading = `${operations.length} calls, ${title}`;
      tables.push(buildTable(heading, Object.keys(programs), toColumns(costs, chart), note));
    }
    return {
      tables,
      versions: readVersions(['typescript', 'typescript-7', 'openapi-fetch', '@hey-api/openapi-ts']),
    };
  },
};

function toColumns(costs: Record<string, Cost[]>, chart: string): MeasuredColumn[] {
  const pick = (figure: keyof Cost) =>
    Object.fromEntries(Object.entries(costs).map(([style, list]) => [style, list.map((cost) => cost[figure])]));
  const better = 'lower';
  return [
    { title: 'instantiations', unit: 'types', better, samples: pick('instantiations') },
    { title: 'check', unit: 's', better, chart, samples: pick('checkSeconds') },
    { title: 'total', unit: 's', better, samples: pick('totalSeconds') },
    { title: 'memory', unit: 'MB', better, samples: pick('memoryMegabytes') },
  ];
}

/** Figures that the compiler prints for one run. */
interface Cost {
  instantiations: number;
  checkSeconds: number;
  totalSeconds: number;
  memoryMegabytes: number;
}

const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
};

/** Writes a program and its configuration. Returns the path of the configuration. */
function writeProject(folder: string, name: string, program: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.ts`), program);
  const configuration = join(folder, `tsconfig.${name}.json`);
  writeFileSync(configuration, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  return configuration;
}

/** Checks a program in its own process. */
async function compile(compiler: string, configuration: string, folder: string): Promise<Cost> {
  const printed = await runCommand(process.execPath, [compiler, '-p', configuration, '--extendedDiagnostics'], folder);
  return {
    instantiations: read(printed, 'Instantiations'),
    checkSeconds: read(printed, 'Check time'),
    totalSeconds: read(printed, 'Total time'),
    memoryMegabytes: read(printed, 'Memory used') / 1_000,
  };
}

/** Reads a figure from a line such as `Check time: 1.02s` or `Memory used: 123456K`. */
function read(printed: string, name: string): number {
  const figure = new RegExp(`^${name}:\\s*([\\d.]+)(?:s|K)?$`, 'm').exec(printed)?.[1];
  if (figure === undefined) throw new Error(`The compiler does not report '${name}'`);
  return Number(figure);
}
