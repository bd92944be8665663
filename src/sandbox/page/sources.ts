import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Markup, styles and script of the page. */
export interface PageSources {
  markup: string;
  styles: string;
  script: string;
}

/** Reads the sources of the page from a checkout. In the package, a module with these sources replaces this module. */
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
      // A script must not contain text that ends its script element.
      charset: 'ascii',
      write: false,
      logLevel: 'silent',
    }),
  ]);
  return { markup, styles, script: outputFiles[0]?.text ?? '' };
}
