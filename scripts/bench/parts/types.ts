import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { generatedPath, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec } from '../../spec/model.ts';
import { interleave } from '../interleave.ts';
import { peersFolder } from '../run-peer.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';
import { type Cost, compile, writeProject } from '../types/compile.ts';
import { writePrograms } from '../types/programs.ts';
import { readVersions } from '../versions.ts';
import type { Part } from './part.ts';

const folder = join(peersFolder, 'generated', 'programs');
const compilers = [
  { title: 'TypeScript 5', path: createRequire(import.meta.url).resolve('typescript/bin/tsc'), chart: 'types-5' },
  { title: 'TypeScript 7', path: join(peersFolder, 'node_modules', 'typescript-7', 'bin', 'tsc'), chart: 'types-7' },
];
const note = `A program that calls each operation once, with strict and skipLibCheck. What the compiler itself costs is in the first row, and in all others.`;

export const types: Part = {
  title: 'Type cost',
  async measure({ quick, report }) {
    const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
    const programs = writePrograms(operations);
    mkdirSync(folder, { recursive: true });
    for (const name of specNames) copyFileSync(generatedPath(name, 'types.ts'), join(folder, `${name}.d.ts`));
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
      goals: [],
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
