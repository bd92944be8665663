import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { assetsFolder, searchIndex, searchScript, siteScript } from './frame/ids.ts';
import { headerHeight, readTemplate } from './layout.ts';
import type { Entry } from './search/entry.ts';

/** Writes the styles and scripts that pages share. Browsers load each of them once for all pages. */
export async function writeAssets(site: string, entries: readonly Entry[]): Promise<void> {
  const folder = join(site, assetsFolder);
  await mkdir(folder, { recursive: true });
  const templates = await readdir(join(import.meta.dirname, 'templates'));
  const styles = templates.filter((name) => name.endsWith('.css'));
  await Promise.all([
    ...styles.map((name) => writeFile(join(folder, name), readStyle(name))),
    bundle(join('frame', 'app.ts')).then((script) => writeFile(join(folder, siteScript), script)),
    bundle(join('search', 'app.ts')).then((script) =>
      writeFile(join(folder, searchScript), `/*! Uses MiniSearch, MIT licence */\n${script}`),
    ),
    writeFile(join(folder, searchIndex), `carillonEntries = ${JSON.stringify(entries)};\n`),
  ]);
}

/** A style sheet of `templates/`. */
export function readStyle(name: string): string {
  const sizes = name === 'shared.css' ? `:root { --header-height: ${headerHeight}px; }\n` : '';
  return `${sizes}${readTemplate(name)}\n`;
}

/** A script for pages. It is a classic one: browsers load no modules from disk. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild returned no bundle of ${file}`);
  return output.text;
}
