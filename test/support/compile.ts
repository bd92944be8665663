import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { runCompiler } from '../../scripts/build/compiler.ts';
import { joinSpecs } from '../../scripts/build/join-specs.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { packageEntries } from './package-entries.ts';

/** A compiler error. */
export interface Problem {
  /** Path from the root of the repository. Empty if the problem is in the options. */
  file: string;
  line: number;
  message: string;
}

export interface CompileOptions {
  /** Additional files that are not in the repository: path from the root → text. */
  sources?: ReadonlyMap<string, string>;
  /** Path of the configuration file from the root. */
  configuration?: string;
  /** Options that override the configuration. */
  options?: Record<string, boolean | string>;
  /** Whether to report problems in all files of the configuration, or only in `sources`. */
  whole?: boolean;
}

/** The module of `carillon-mock` that only a build writes. */
const joinedSpec = 'carillon-mock/openapi.json';

/**
 * Type-checks sources with the project's options. `carillon` and its entries resolve to this project's sources, and the joined
 * spec to the one of today's specs: a clone has no build, or an older one.
 */
export async function compile({
  sources = new Map(),
  configuration = 'tsconfig.json',
  options,
  whole = false,
}: CompileOptions): Promise<Problem[]> {
  const cache = join(repositoryRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'compile-sources-'));
  try {
    for (const [name, text] of sources) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const joined = join(folder, 'openapi.json');
    if ([...sources.values()].some((text) => text.includes(joinedSpec)))
      writeFileSync(joined, JSON.stringify(joinSpecs('0.0.0')));
    const settings = {
      extends: join(repositoryRoot, configuration),
      compilerOptions: {
        ...options,
        noEmit: true,
        // Lets the sources import each other and the client as if they were in the repository.
        rootDirs: [repositoryRoot, folder],
        paths: Object.fromEntries([
          ...packageEntries().map((entry) => [entry.name, [entry.file]]),
          [joinedSpec, [joined]],
        ]),
      },
      files: [...sources.keys()],
      ...(whole ? {} : { include: [] }),
    };
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(settings));
    const problems = readProblems(await runCompiler(project), folder);
    return whole ? problems : problems.filter(({ file }) => file === '' || sources.has(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each problem begins a line. Its details are indented below. */
function readProblems(output: string, folder: string): Problem[] {
  return output.split(/\n(?=\S)/).flatMap((text) => {
    const [, file = '', line = '0', message] =
      /^(?:(.+)\((\d+),\d+\): )?error TS\d+: (.*)$/s.exec(text.replaceAll(/\s*\n\s*/g, ' ').trim()) ?? [];
    if (message === undefined) {
      if (text.trim() === '') return [];
      throw new Error(`Unexpected output of the compiler: ${text}`);
    }
    const path = join(repositoryRoot, file);
    const fromRoot = relative(path.startsWith(folder + sep) ? folder : repositoryRoot, path);
    const name = fromRoot.split(sep).join('/');
    return [{ file: name, line: Number(line), message: file === '' ? message : `${message} at: ${near(path, +line)}` }];
  });
}

/** A missing expected error is reported in the line above the one that compiled. */
function near(file: string, line: number): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .slice(line - 1, line + 1)
    .join(' ')
    .slice(0, 300);
}
