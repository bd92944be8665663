import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillPage } from '../../src/sandbox/page/fill-page.ts';
import { readSources } from '../../src/sandbox/page/sources.ts';
import type { Spec } from '../spec/model.ts';
import { type Html, html } from './html.ts';
import { describePage, head, header, type Page, startPage } from './layout.ts';
import { consoleFile } from './try/console-link.ts';
import { barIds, consoleId, dataId } from './try/ids.ts';
import { tryData } from './try-documents.ts';
import { bundleApp, inlineData, inlineScript, readScalar } from './try-scripts.ts';

export const tryPage: Page = { file: consoleFile, label: 'Try it' };

const minute = 60_000;
const steps = [
  { label: '+15 min', milliseconds: 15 * minute },
  { label: '+1 h', milliseconds: 60 * minute },
  { label: '+1 day', milliseconds: 24 * 60 * minute },
];

/** Writes the page with the console and the sandbox. It is one file, which opens from disk. */
export async function buildTryPage(specs: readonly Spec[], pages: Page[], site: string): Promise<void> {
  const [app, scalar, sources] = await Promise.all([
    bundleApp(),
    readScalar((line) => console.log(`  ${line}`)),
    readSources(),
  ]);
  // The docs are beside this page.
  const inside = fillPage(sources, '.');
  const page = html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${tryPage.label} · ${startPage.label}</title>
    ${describePage('Send requests to all operations from a console in this page. A sandbox in the page answers them: nothing leaves it.')}
    ${head('try.css', 'try-console.css')}
  </head>
  <body>
    <a class="skip" href="#${consoleId}">Skip to the console</a>
    ${header(pages, tryPage)}
    ${bar()}
    <section id="${consoleId}" tabindex="-1">Loading the console…</section>
    <noscript>The console needs JavaScript.</noscript>
    ${inlineData(dataId, tryData(specs, inside))}
    ${inlineScript(app)}
    ${inlineScript(scalar)}
  </body>
</html>`;
  await writeFile(join(site, tryPage.file), `${page}\n`);
}

/** The bar: what the sandbox is, its latest replies, and its controls. */
function bar(): Html {
  return html`<section class="sandbox" aria-label="Sandbox">
      <p id="${barIds.status}" role="status" aria-live="polite">Runs in this page: nothing leaves it.</p>
      <div class="controls">
        <span id="${barIds.clock}" role="group" aria-label="Advance the clock of the sandbox">
          <time id="${barIds.time}"></time>
          ${steps.map(({ label, milliseconds }) => html`<button type="button" value="${milliseconds}">${label}</button> `)}
        </span>
        <button type="button" id="${barIds.reset}">Reset</button>
      </div>
      <details id="${barIds.requests}">
        <summary>See inside <span id="${barIds.count}" title="Requests so far">0</span></summary>
        <div class="panel">
          <div id="${barIds.inside}"></div>
          <p>Requests of the console go to a sandbox in this page. It stores what you create, and enforces every
            documented rule. It accepts any token. The console is Scalar’s API reference (MIT).</p>
        </div>
      </details>
    </section>`;
}
