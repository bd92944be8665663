import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Markup, styles and script of the page. */
export interface PageSources {
  markup: string;
  styles: string;
  script: string;
}

/** Reads the page from a checkout. The build replaces this module with the result. */
export async function readSources(): Promise<PageSources> {
  const { build } = await import('esbuild');
  const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const [markup, styles, { outputFiles }] = await Promise.all([
    readFile(fileOf('page.html'), 'utf8'),
    readFile(fileOf('page.css'), 'utf8'),
    build({
      entryPoints: [fileOf('main.ts')],
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      // Text that ends a script element must not be in one.
      charset: 'ascii',
      write: false,
      logLevel: 'silent',
    }),
  ]);
  return { markup, styles, script: outputFiles[0]?.text ?? '' };
}
