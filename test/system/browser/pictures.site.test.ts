/** The pictures of the docs. `npm run screenshots` takes them; without it, the tests check the files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { escapeHtml } from '../../../scripts/docs/markdown/markdown.ts';
import { pictureSize } from '../../../scripts/docs/markdown/pictures.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { takesScreenshots } from '../../support/amounts.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { openEditor } from '../../support/editor.ts';
import { carillon, shellWords } from '../../support/terminal.ts';
import { usePages } from './inspector.ts';

const folder = join(repositoryRoot, 'docs', 'public', 'pictures');
const themes = ['light', 'dark'] as const;
const names = ['editor', 'inspector', 'scenario', 'terminal'] as const;
const files = names.flatMap((name) => themes.map((theme) => join(folder, `${name}-${theme}.webp`)));
const scale = 2;
const context = { viewport: pictureSize };

describe.skipIf(!takesScreenshots || missingChromium)('pictures are taken', { timeout: 60_000 }, () => {
  const open = usePages();

  it.each(themes)('of the inside of a sandbox, %s', async (colorScheme) => {
    const { api, page, requests, show } = await open({}, { ...context, colorScheme });
    const place = { pipelineId: 1, stepId: 11 };
    const { id } = await api.crm.deals.create({ ...place, name: 'Spring offer', price: 480 });
    await api.crm.deals.update({ ...place, dealId: id, name: 'Spring offer', price: 520, status: 3 });
    await api.crm.contacts.list({ firstName: 'Ann' });
    await api.messaging.campaigns
      .create({
        message_type: 3,
        sender_id: 5,
        message_live_time: 600,
        send_date: 'now',
        recipients: [15550100123],
        message: null,
        template_id: 702,
        variables: { number: '17' },
      })
      .catch(() => undefined);
    await requests.getByRole('listitem').nth(3).waitFor();
    await savePicture(page, 'inspector', colorScheme);
    await show('Scenario');
    await savePicture(page, 'scenario', colorScheme);
  });

  it.each(themes)('of an editor that shows a method with its error codes, %s', async (colorScheme) => {
    await savePicture(await draw(editorPage(), colorScheme), 'editor', colorScheme);
  });

  it.each(themes)('of a terminal, %s', async (colorScheme) => {
    const shown = [
      await inTerminal('crm deals get 501 --columns name,price,currency'),
      await inTerminal('crm deals delete 501', 'y'),
      await inTerminal('crm deals get 99999'),
    ].join('\n\n');
    await savePicture(await draw(terminalPage(shown), colorScheme), 'terminal', colorScheme);
  });
});

it.each(files)('%s has twice the pixels of its size, and at most 60 kB', (file) => {
  const bytes = readFileSync(file);
  expect(bytes.length).toBeLessThanOrEqual(60_000);
  // The extended format of https://developers.google.com/speed/webp/docs/riff_container.
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  expect({ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }).toEqual({
    width: pictureSize.width * scale,
    height: pictureSize.height * scale,
  });
});

async function draw(html: string, colorScheme: (typeof themes)[number]): Promise<Page> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ ...context, colorScheme });
  await page.setContent(html);
  return page;
}

/** A program, and what TypeScript's language service shows in the hover of its method. */
function editorPage(): string {
  const program = `import { createClient, Messaging } from 'carillon';

const api = createClient({ baseUrl, auth: { apiKey } });
const { task_id } = await api.messaging.campaigns.create/*method*/({
  message_type: Messaging.MessageType.Promo,
`;
  const editor = openEditor(join(repositoryRoot, 'program.ts'), program, ['carillon-source']);
  const { signature, throws } = editor.hoverOfMethod('method');
  // The window has no room for the rest, which an editor scrolls to.
  const [summary] = /^.*?\./.exec(editor.hover('method')) ?? [''];
  const codes = throws
    .filter((thrown) => thrown.includes(' with code '))
    .map((thrown) => `<li>@throws ${marked(thrown)}`);
  const lines = escapeHtml(program.replace('/*method*/', ''))
    .replace(/(?:&#39;|').*?(?:&#39;|')/g, '<s>$&</s>')
    .replace(/\b(?:import|from|const|await)\b/g, '<b>$&</b>')
    .replace('create({', '<u>create</u>({');
  return windowPage(
    `pre, ul, p { margin: 0; }
    s { color: light-dark(#0a6e2e, #9ccf8f); text-decoration: none; }
    u { background: light-dark(#cfe3ff, #2f4a73); text-decoration: none; border-radius: 2px; }
    aside { margin: 0 16px 0 30px; padding: 10px 12px; border: 1px solid light-dark(#c4c6cf, #4a505d); border-radius: 4px;
      background: light-dark(#fff, #1f232c); font: 12px/1.4 "DejaVu Sans", sans-serif; }
    aside > * + * { margin-top: 8px; padding-top: 8px; border-top: 1px solid light-dark(#dcdde3, #3a3f4b); }
    code { font-family: "DejaVu Sans Mono", monospace; font-size: 11px; color: light-dark(#8f2a5c, #f0a8c8); }
    ul { list-style: none; padding-left: 0; }`,
    `<pre>${lines}</pre><aside><code>${escapeHtml(signature.replace(/^.*\n/, ''))}</code><p>${marked(summary)}</p><ul>${codes.join('')}</ul></aside>`,
  );
}

/** Markdown with code, as an editor shows it. */
function marked(markdown: string): string {
  return escapeHtml(markdown).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** The prompt, the command and its output, as on a terminal, which shows what a person answers. */
async function inTerminal(line: string, answer = ''): Promise<string> {
  const { output, errors } = await carillon(['--sandbox', ...shellWords(line)], {
    isTerminal: true,
    answers: [answer],
  });
  const text = `${errors}${output}`
    .replace(/^Sandbox: .*\n/gm, '')
    .replace('[y/N] ', `[y/N] ${answer}\n`)
    .trimEnd();
  return `<b>$ carillon --sandbox ${escapeHtml(line)}</b>\n${escapeHtml(text)}`;
}

function terminalPage(shown: string): string {
  return windowPage('', `<pre>${shown}</pre>`);
}

function windowPage(styles: string, content: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    :root { color-scheme: light dark; background: light-dark(#fafafa, #16191f); color: light-dark(#24292f, #d6dbe3); }
    body { margin: 0; }
    header { display: flex; gap: 7px; padding: 12px 14px; background: light-dark(#ececf0, #242831); }
    header i { width: 11px; height: 11px; border-radius: 50%; background: light-dark(#c4c6cf, #4a505d); }
    pre { margin: 0; padding: 12px 16px; font: 12px/1.4 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
    b { color: light-dark(#8f4f06, #f1c27d); font-weight: 600; }
    ${styles}
  </style><header><i></i><i></i><i></i></header>${content}`;
}

async function savePicture(page: Page, name: (typeof names)[number], theme: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 42,
    clip: { x: 0, y: 0, ...pictureSize, scale },
  });
  writeFileSync(join(folder, `${name}-${theme}.webp`), Buffer.from(data, 'base64'));
}
