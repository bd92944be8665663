import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spec } from '../spec/model.ts';
import { toDocument } from './document.ts';
import { Html, html } from './html.ts';
import { head, header, type Page } from './layout.ts';
import { buildDocs } from './redocly.ts';
import { pickSamples } from './sample-picker.ts';

/** Writes the reference page of one spec into a folder. Temporary files go to another folder. */
export async function buildReference(spec: Spec, page: Page, pages: Page[], site: string, work: string): Promise<void> {
  const document = join(work, `${spec.name}.json`);
  const template = join(work, `${spec.name}.hbs`);
  const output = join(work, page.file);
  await writeFile(document, JSON.stringify(toDocument(spec)));
  await writeFile(template, pageTemplate(page, pages));
  await buildDocs({ document, template, output });
  await writeFile(join(site, page.file), closeOff(await readFile(output, 'utf8')));
}

/** A Handlebars template for `redocly build-docs`. */
function pageTemplate(page: Page, pages: Page[]): string {
  return `${html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{title}} · Carillon</title>
    ${head('reference.css')}
    ${new Html('{{{redocHead}}}')}
  </head>
  <body>
    ${header(pages, page)}
    ${new Html('{{{redocHTML}}}')}
  </body>
</html>`}\n`;
}

const logos = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const expectedLogos = 2;

/** Removes references to a network or a web server: the logos, and the links that Redoc renders. */
export function closeOff(page: string): string {
  const found = page.match(logos)?.length ?? 0;
  if (found !== expectedLogos) {
    throw new Error(
      `Redoc's bundle has ${found} logo addresses instead of ${expectedLogos}: it changed, so check the page again`,
    );
  }
  const script = page.indexOf('<script type="module">');
  // Redoc routes by hash, but first renders links for a server, and hydration does not update attributes.
  const rendered = page.slice(0, script).replaceAll(' href="/', ' href="#/');
  return (rendered + pickSamples(page.slice(script))).replace(logos, 'data:,');
}
