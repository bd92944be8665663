import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-peer.ts';

/** What a compiler reports about one run. */
export interface Cost {
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

/** Writes a program and its configuration, and returns the path of the configuration. */
export function writeProject(folder: string, name: string, program: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.ts`), program);
  const configuration = join(folder, `tsconfig.${name}.json`);
  writeFileSync(configuration, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  return configuration;
}

/** Checks a program in its own process. */
export async function compile(compiler: string, configuration: string, folder: string): Promise<Cost> {
  const printed = await runCommand(process.execPath, [compiler, '-p', configuration, '--extendedDiagnostics'], folder);
  return {
    instantiations: read(printed, 'Instantiations'),
    checkSeconds: read(printed, 'Check time'),
    totalSeconds: read(printed, 'Total time'),
    memoryMegabytes: read(printed, 'Memory used') / 1_000,
  };
}

/** The figure of a line such as `Check time: 1.02s` or `Memory used: 123456K`. */
function read(printed: string, name: string): number {
  const figure = new RegExp(`^${name}:\\s*([\\d.]+)(?:s|K)?$`, 'm').exec(printed)?.[1];
  if (figure === undefined) throw new Error(`The compiler does not report '${name}'`);
  return Number(figure);
}
