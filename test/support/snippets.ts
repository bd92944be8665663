import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

export interface Snippet {
  /** `README.md:42`: where the block begins. */
  name: string;
  code: string;
  /** `ts` or `tsx`. */
  extension: string;
  /**
   * It makes calls. Without an import of the package it is only a declaration to compile, and so is a block that needs a
   * browser, marked as ```ts browser.
   */
  runs: boolean;
  /** What it prints, where the page shows that in a block marked as ```text output below the program. */
  output?: string;
}

/** The pages whose code is held to compile and run. */
export const pages = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs', 'guides')).map((name) => `docs/guides/${name}`),
];

/** The READMEs of the packages. */
export const packagePages = listPackages().map(({ folder }) => `${folder}/README.md`);

/** Guides to commands, which have shell blocks and no programs: test/cli and test/cli/mcp check what they say. */
export const commandPages = ['agents', 'terminal', 'terminal-reference'].map((name) => `docs/guides/${name}.md`);

/** Every TypeScript block of a Markdown file. */
export function readSnippets(file: string): Snippet[] {
  const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n');
  const snippets: Snippet[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^```(?:(tsx?|typescript|js|javascript)( browser)?|(text output))$/.exec(lines[index] ?? '');
    if (!opening) continue;
    const end = lines.indexOf('```', index + 1);
    if (end < 0) throw new Error(`The block at ${file}:${index + 1} does not end`);
    const code = lines.slice(index + 1, end).join('\n');
    const name = `${file}:${index + 1}`;
    if (opening[3]) addOutput(snippets.at(-1), code, name);
    else
      snippets.push({
        name,
        code,
        extension: opening[1] === 'tsx' ? 'tsx' : 'ts',
        runs: !opening[2] && /from 'carillon|fetch\(/.test(code),
      });
    index = end;
  }
  return snippets;
}

/** The files that a page shows for its programs to read, each in a block marked with its name, such as ```csv people.csv. */
export function readFixtures(file: string): { name: string; content: string }[] {
  const page = readFileSync(join(repositoryRoot, file), 'utf8');
  const blocks = page.matchAll(/^```\w+ ([\w-]+\.\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, name = '', content = '']) => ({ name, content }));
}

function addOutput(program: Snippet | undefined, output: string, name: string): void {
  if (!program?.runs || program.output !== undefined)
    throw new Error(`The output at ${name} stands below no program that runs, or is its second`);
  program.output = output;
}

/**
 * What a program prints, made comparable: dates and times, durations and the address differ from run to run; ids do not,
 * since each program has a sandbox of its own.
 *
 * @param url - where the sandbox of this run is
 */
export function normaliseOutput(text: string, url?: string): string {
  return (url ? text.replaceAll(new URL(url).host, '127.0.0.1:4012') : text)
    .replace(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, '<date>')
    .replace(/\b\d+(?:\.\d+)? (?=(?:ms|s)\b)/g, '<time> ')
    .trimEnd();
}
