import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { provideTools } from '../command-line/provide-tools.ts';
import { Html } from './html.ts';
import { bundlePageScript } from './page-script.ts';

/**
 * Zod, in both the sandbox and Scalar, compiles validators with `eval` if it can. The page's policy forbids that, and
 * browsers report the attempt. All copies of zod on a page read this setting.
 */
const withoutEval = 'globalThis.__zod_globalConfig = { jitless: true };';

/** The script of the page: sandbox, bar and Scalar's settings. */
export function bundleApp(): Promise<string> {
  return bundlePageScript(join('try', 'app.ts'), withoutEval);
}

/** Scalar's bundle for browsers, preceded by its name, which the bundle does not contain. */
export async function readScalar(report: (line: string) => void): Promise<string> {
  const folder = join(import.meta.dirname, 'try');
  await provideTools(folder, 'the console of the docs', report);
  // The package does not export these two files, so find them relative to an exported one.
  const dist = dirname(createRequire(join(folder, 'package.json')).resolve('@scalar/api-reference'));
  const script = await readFile(join(dist, 'browser', 'standalone.js'), 'utf8');
  return `/*! @scalar/api-reference, MIT licence */\n${script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')}`;
}

/**
 * An inline script, so that the page is one file that opens from anywhere. Escapes marks that would end the script. They
 * can occur only in strings, templates and regular expressions, where the escaped form has the same meaning.
 */
export function inlineScript(script: string): Html {
  return new Html(`<script>${script.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3c!--')}</script>`);
}

/** Inline data that a script reads as JSON. */
export function inlineData(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return new Html(`<script type="application/json" id="${id}">${json}</script>`);
}
