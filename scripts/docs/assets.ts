import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetsFolder, searchIndex, searchScript, siteScript } from './frame/ids.ts';
import { headerHeight, readTemplate } from './layout.ts';
import { bundlePageScript } from './page-script.ts';
import type { Entry } from './search/entry.ts';

/** Writes the styles and scripts that pages share. Browsers load each of them once for all pages. */
export async function writeAssets(site: string, entries: readonly Entry[]): Promise<void> {
  const folder = join(site, assetsFolder);
  await mkdir(folder, { recursive: true });
  const templates = await readdir(join(import.meta.dirname, 'templates'));
  const styles = templates.filter((name) => name.endsWith('.css'));
  await Promise.all([
    ...styles.map((name) => writeFile(join(folder, name), readStyle(name))),
    bundlePageScript(join('frame', 'app.ts')).then((script) => writeFile(join(folder, siteScript), script)),
    bundlePageScript(join('search', 'app.ts')).then((script) =>
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
