import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { Html } from './html.ts';

/**
 * Zod, the sandbox's and Scalar's, compiles validators with `eval` where it can. The page's policy forbids that, and a
 * browser reports the attempt; all copies of zod on a page read this.
 */
const withoutEval = 'globalThis.__zod_globalConfig = { jitless: true };';

/** The script of the page: sandbox, bar and the settings of Scalar. */
export async function bundleApp(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'try', 'app.ts')],
    bundle: true,
    banner: { js: withoutEval },
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild gives no bundle of the page "Try it"');
  return output.text;
}

/** Scalar's own bundle for browsers, with its name, which it does not carry itself. */
export async function readScalar(): Promise<string> {
  // The package exports neither of the two files, so they are found from the one that it does export.
  const dist = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'));
  const script = await readFile(join(dist, 'browser', 'standalone.js'), 'utf8');
  return `/*! @scalar/api-reference, MIT licence */\n${script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')}`;
}

/**
 * A script as a part of its page, so that the page is one file that opens from anywhere. In strings, templates and
 * regular expressions, the only places where these marks can stand, the changes mean the same.
 */
export function inlineScript(script: string): Html {
  return new Html(`<script>${script.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3c!--')}</script>`);
}

/** Data as a part of its page, which a script reads as JSON. */
export function inlineData(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return new Html(`<script type="application/json" id="${id}">${json}</script>`);
}
