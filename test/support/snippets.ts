import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

export interface Snippet {
  /** Position of the block: `README.md:42`. */
  name: string;
  code: string;
  /** `ts` or `tsx`. */
  extension: string;
  /**
   * Whether it makes calls. A block without an import of the package is a declaration that is only compiled. So is a block for
   * a browser, marked as ```ts browser.
   */
  runs: boolean;
  /** Expected output, from a block marked as ```text output below the program. */
  output?: string;
}

/** Pages whose code must compile and run. */
export const pages = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs', 'guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guides/${name}`),
];

/** The READMEs of the packages. */
export const packagePages = listPackages().map(({ folder }) => `${folder}/README.md`);

/**
 * Guides to commands and messages, which have no programs (test/cli, test/cli/mcp and the test of the messages check them), and to a
 * whole app, whose files `test/docs/guide-apps.test.ts` compares.
 */
export const pagesWithoutPrograms = ['agents', 'messages', 'storybook', 'terminal', 'terminal-reference'].map(
  (name) => `docs/guides/${name}.md`,
);

/** Every TypeScript block in a Markdown file. */
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

/** Files that a page's programs read, each in a block marked with its name, such as ```csv people.csv. */
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
 * Makes outputs comparable: replaces dates and times, durations and the address, which differ between runs. Keeps ids,
 * because each program has its own sandbox.
 *
 * @param url - address of this run's sandbox
 */
export function normaliseOutput(text: string, url?: string): string {
  return (url ? text.replaceAll(new URL(url).host, '127.0.0.1:4012') : text)
    .replace(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, '<date>')
    .replace(/\b\d+(?:\.\d+)? (?=(?:ms|s)\b)/g, '<time> ')
    .trimEnd();
}
