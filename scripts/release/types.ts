import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { provideTools } from '../command-line/provide-tools.ts';
import { repositoryRoot } from '../spec/files.ts';
import { listEntries, oldSpecifier, type TypeEntry, writeProbes } from './types/probes.ts';
import type { Judge, Release, Verdict } from './verdict.ts';

/**
 * Compiles programs of the old release against the new packages, with the oldest and the newest supported TypeScript.
 */
export const typesJudge: Judge = {
  surface: 'types',
  judge: async (base, next) => {
    const programs = new Map([
      ...(await readGuides(base.folder)),
      ...(await readTypeTests(base.folder)),
      ...(await writeSamples(base)),
    ]);
    return judgeTypes(base, next, programs);
  },
};

/** Program name that users know → its text. */
export type Programs = ReadonlyMap<string, string>;

/**
 * Verdicts on the declarations of two builds.
 *
 * @param programs - programs for the old build that must compile with the new one
 */
export async function judgeTypes(base: Release, next: Release, programs: Programs): Promise<Verdict[]> {
  const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
  await provideTools(tools, 'The oldest TypeScript that we support', console.error);
  const folder = join(next.folder, 'release-types');
  await rm(folder, { recursive: true, force: true });
  try {
    const entries = await listEntries(base.folder);
    const sources = new Map(
      [...programs].map(([name, text], index) => [fileOf(name, index), { name, text: `${text}\nexport {};\n` }]),
    );
    for (const [file, text] of writeProbes(base.folder, entries)) sources.set(file, { name: '', text });
    for (const [file, { text }] of sources) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const problems: Problem[] = [];
    for (const { name, path, understands } of compilers(tools)) {
      const files = [...sources].filter(([, source]) => understands(source.text)).map(([file]) => file);
      const found = await compile(folder, path, files, oldPaths(base.folder, entries));
      // The compilers word the same problem differently.
      const others = found.filter((one) => !problems.some(({ file, line }) => file === one.file && line === one.line));
      problems.push(...others.map((problem) => ({ ...problem, compiler: name })));
    }
    return toVerdicts(problems, sources);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Other libraries do not support our oldest compiler, so it compiles only programs that import none of them. */
function compilers(tools: string) {
  const compilerOf = (folder: string, name: string): string => join(folder, 'node_modules', name, 'bin', 'tsc');
  const importsOnlyOurs = (text: string): boolean => !/from '(?!carillon|old-release|node:)/.test(text);
  return [
    { name: 'TypeScript 7', path: compilerOf(repositoryRoot, 'typescript-7'), understands: () => true },
    { name: 'TypeScript 5.3', path: compilerOf(tools, 'typescript-5.3'), understands: importsOnlyOurs },
  ];
}

function fileOf(name: string, index: number): string {
  const extension = name.includes('.tsx') ? 'tsx' : 'ts';
  return `program-${index}.${extension}`;
}

function oldPaths(folder: string, entries: readonly TypeEntry[]): Record<string, string[]> {
  return Object.fromEntries(
    entries.map(({ specifier, declarations }) => [oldSpecifier(specifier), [join(folder, declarations)]]),
  );
}

/** The TypeScript blocks of the guides and READMEs. */
async function readGuides(folder: string): Promise<Programs> {
  const pages = globSync(['README.md', 'docs/guides/*.md', 'src/*/README.md'], { cwd: folder }).sort();
  const programs = new Map<string, string>();
  for (const page of pages) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const { 1: extension = '', 2: code = '', index } of text.matchAll(/^```(tsx?)(?: browser)?\n(.*?)^```$/gms)) {
      const line = text.slice(0, index).split('\n').length;
      // Only a build writes files of data.
      if (/ from '[^']+\.json'/.test(code)) continue;
      programs.set(`${page}:${line}${extension === 'tsx' ? ' (.tsx)' : ''}`, code);
    }
  }
  return programs;
}

/** The type tests that import only public modules, by public names. */
async function readTypeTests(folder: string): Promise<Programs> {
  const specifiers = new Map((await listEntries(folder)).map(({ source, specifier }) => [source, specifier]));
  const programs = new Map<string, string>();
  for (const file of globSync('test/client/types/*.ts', { cwd: folder }).sort()) {
    if (file.endsWith('.system.test.ts')) continue;
    let isPublic = true;
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll(
      /(from |module |import\()'(\.[^']+)'/g,
      (_, start: string, path: string) => {
        const specifier = specifiers.get(posix.join(dirname(file), path));
        isPublic &&= specifier !== undefined;
        return `${start}'${specifier}'`;
      },
    );
    // A wider type is not a break, so equality would be too strict.
    if (isPublic) programs.set(file, text.replaceAll('.toEqualTypeOf<', '.toExtend<'));
  }
  return programs;
}

/** The samples of the old release, written by its own code. */
async function writeSamples({ folder }: Release): Promise<Programs> {
  const program = join(folder, 'scripts', 'release', 'main.ts');
  if (!existsSync(program)) {
    throw new Error(
      `${folder} has no scripts/release/main.ts, which writes the samples of a release: compare with a later revision`,
    );
  }
  const args = ['--conditions=carillon-source', program, 'samples'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    timeout: 60_000,
    maxBuffer: 2 ** 26,
  });
  return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(stdout))));
}

/** A named program, or a probe, which has no name. */
interface Source {
  name: string;
  text: string;
}

interface Problem {
  file: string;
  line: number;
  message: string;
  compiler?: string;
}

async function compile(
  folder: string,
  compiler: string,
  files: string[],
  paths: Record<string, string[]>,
): Promise<Problem[]> {
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    paths,
  };
  // Programs are ES modules, as in a package with this type.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(project, JSON.stringify({ compilerOptions, files }));
  const output = await promisify(execFile)(process.execPath, [compiler, '--project', project, '--pretty', 'false'], {
    cwd: folder,
    timeout: 300_000,
    maxBuffer: 2 ** 26,
  }).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      // The compiler exits with 1 or 2 if it finds problems.
      const { data } = z.object({ code: z.union([z.literal(1), z.literal(2)]), stdout: z.string() }).safeParse(error);
      if (data) return data.stdout;
      throw error;
    },
  );
  return output.split(/\n(?=\S)/).flatMap((text) => readProblem(text.replaceAll(/\s*\n\s*/g, ' ').trim()));
}

function readProblem(text: string): Problem[] {
  if (text === '') return [];
  const [, file, line, message] = /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(text) ?? [];
  if (!file || !message) throw new Error(`The compiler did not check the types: ${text}`);
  // The new packages accept more than before.
  if (message.startsWith("Unused '@ts-expect-error'")) return [];
  // Without the paths of this run.
  return [{ file, line: Number(line), message: message.replaceAll(/import\("[^"]*"\)\./g, '') }];
}

/** One verdict for each cause, regardless of the number of programs and compilers. */
function toVerdicts(problems: readonly Problem[], sources: ReadonlyMap<string, Source>): Verdict[] {
  const found = new Map<string, Cause>();
  for (const problem of problems) {
    const { name = '', text = '' } = sources.get(problem.file) ?? {};
    // A probe names the export or the method at the end of its line.
    const probed = name === '' ? text.split('\n')[problem.line - 1]?.split(' // ').at(-1) : undefined;
    const what = explain(problem.message, probed);
    const known = found.get(what) ?? { what, probes: new Set(), programs: new Set(), compilers: new Set() };
    if (probed === undefined) known.programs.add(name);
    else known.probes.add(probed);
    known.compilers.add(problem.compiler ?? '');
    found.set(what, known);
  }
  return mergeCauses([...found.values()]).map(({ what, probes, programs, compilers: names }) => {
    const [first = '', ...more] = programs;
    const others = more.length > 0 ? ` and in ${more.length} more` : '';
    const compiler = names.has('TypeScript 7') ? '' : ` With ${[...names].join(' and ')}.`;
    const sentence =
      probes.size > 0
        ? `${what}${first && ` Programs that no longer compile: ${first}${others}.`}`
        : `A program no longer compiles, ${first}${others && `${others} programs`}: ${what}`;
    return { surface: 'types', impact: 'break', place: what, sentence: `${sentence}${compiler}` };
  });
}

/** A problem, with the probes and the programs that have it. */
interface Cause {
  what: string;
  probes: Set<string>;
  programs: Set<string>;
  compilers: Set<string>;
}

/** Problems that follow from a lost name, such as a call with a removed field, belong to the problem that says so. */
function mergeCauses(causes: readonly Cause[]): Cause[] {
  const losses = causes.flatMap((cause) => lostNames(cause.what).map((name) => ({ name, cause })));
  return causes.filter((cause) => {
    if (lostNames(cause.what).length > 0) return true;
    const loss = losses.find(({ name }) => new RegExp(`['\`.]${name}['\`]`).test(cause.what));
    for (const program of cause.programs) loss?.cause.programs.add(program);
    for (const compiler of cause.compilers) loss?.cause.compilers.add(compiler);
    return loss === undefined;
  });
}

/** `Deal` no longer has `a`, `b`: `a` and `b`. `Deal` is no longer exported: `Deal`. */
function lostNames(what: string): string[] {
  const [, exported, members = ''] = /^`(\w+)` (?:is no longer exported|no longer has (.*))\.$/.exec(what) ?? [];
  if (exported === undefined) return [];
  return members === '' ? [exported] : Array.from(members.matchAll(/`(\w+)`/g), ([, name = '']) => name);
}

/** Rephrases a compiler's message for readers who have not seen the probe. */
function explain(message: string, probed: string | undefined): string {
  if (probed === undefined) return message;
  const [, lost] = /^Type '"kept"' is not assignable to type '(.+?)'\./.exec(message) ?? [];
  if (lost) return `\`${probed}\` no longer has ${lost.replaceAll('"', '`').replaceAll(' | ', ', ')}.`;
  if (/has no exported member/.test(message)) return `\`${probed}\` is no longer exported.`;
  if (/^Expected \d+ arguments|^Property '\w+' does not exist on type/.test(message) && probed.includes('.')) {
    return `\`${probed}\` can no longer be called as before: ${message}`;
  }
  return `\`${probed}\` no longer fits: ${message}`;
}
