/** Set-up for tests of runnable samples. Serves a page with a sample under the docs' policy. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchChromium } from '../../support/chromium.ts';
import { listen } from '../../support/server.ts';

/** The same as the site's. */
const policy = "default-src 'self'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

export const program = `import { createClient } from 'carillon';

const api = createClient({
  baseUrl: 'http://127.0.0.1:4012',
  auth: { apiKey: process.env.CARILLON_API_KEY ?? 'any' },
});
`;

interface Bundled {
  /** Address → JavaScript. */
  files: ReadonlyMap<string, string>;
  /** Gzipped sizes of the worker and the inspector, in bytes. */
  sizes: { worker: number; inspector: number };
}

/** Bundles the element and its worker, as Astro does. */
export async function bundleRun(): Promise<Bundled> {
  const source = (name: string) => fileURLToPath(new URL(`../../../docs/src/run/${name}`, import.meta.url));
  const options = {
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['carillon-source'],
    define: { 'import.meta.env.BASE_URL': '"/"' },
    outdir: '/',
    logLevel: 'silent',
  } satisfies BuildOptions;
  const [page, worker] = await Promise.all([
    build({ ...options, write: false, entryPoints: [source('index.ts')], splitting: true }),
    build({ ...options, write: false, entryPoints: [source('worker.ts')] }),
  ]);
  const outputs = [...page.outputFiles, ...worker.outputFiles];
  const sizeOf = (contains: string): number => {
    const found = outputs.find(({ text }) => text.includes(contains));
    if (!found) throw new Error(`No bundle contains ${contains}`);
    return gzipSync(found.contents, { level: 9 }).length;
  };
  return {
    // The page requests its worker under the source's name.
    files: new Map(outputs.map(({ path, text }) => [path === '/worker.js' ? '/worker.ts' : path, text])),
    sizes: { worker: sizeOf('crm-static-api-keys'), inspector: sizeOf('Inside the sandbox') },
  };
}

/** Runs Chromium for the tests of a file. Returns a function that opens a page with samples. */
export function useRunPage() {
  let browser: Browser;
  let bundled: Bundled;
  beforeAll(async () => {
    [browser, bundled] = await Promise.all([launchChromium(), bundleRun()]);
  });
  afterAll(() => browser?.close());
  return (markup: string | readonly string[], options?: OpenOptions) =>
    open(browser, bundled.files, typeof markup === 'string' ? [markup] : markup, options);
}

interface OpenOptions {
  context?: BrowserContextOptions;
  /** In seconds. */
  deadline?: number;
  /** Paths that return 404. */
  missing?: readonly string[];
}

/** @param codes - code of each sample */
async function open(
  browser: Browser,
  files: ReadonlyMap<string, string>,
  codes: readonly string[],
  { context: contextOptions = {}, deadline, missing = [] }: OpenOptions = {},
) {
  const attribute = deadline === undefined ? '' : ` deadline="${deadline}"`;
  const samples = codes.map(
    (code) => `<run-sample${attribute}><pre><code>${escapeHtml(code)}</code></pre></run-sample>`,
  );
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sample</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark; background: Canvas; font-family: sans-serif; } pre { overflow-wrap: anywhere; white-space: pre-wrap; }</style>
<script type="module" src="/index.js"></script></head>
<body><main><h1>Sample</h1>${samples.join('')}</main></body></html>`;
  const server = await listen(({ url }, response) => {
    const path = url.replace(/\?.*/, '');
    const file = missing.includes(path) ? undefined : path === '/' ? html : files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    const type = path === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy }).end(file);
  });
  const context = await browser.newContext({ reducedMotion: 'reduce', ...contextOptions });
  onTestFinished(() => context.close());
  const errors: string[] = [];
  const elsewhere: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(?:data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) errors.push(message.text());
  });
  await page.goto(server.url);
  return { page, server, errors, elsewhere, samples: codes.map((_, index) => new Sample(page, index)) };
}

/** Uses a sample as a reader does. */
class Sample {
  readonly page: Page;
  readonly element: Locator;

  constructor(page: Page, index = 0) {
    this.page = page;
    this.element = page.locator('run-sample').nth(index);
  }

  button(name: string): Locator {
    return this.element.getByRole('button', { name, exact: true });
  }

  get status(): Locator {
    return this.element.locator('.bar').getByRole('status');
  }

  get output(): Locator {
    return this.element.locator('.output');
  }

  get inspector(): Locator {
    return this.element.locator('sandbox-inspector');
  }

  /** Runs the sample and waits for a status. */
  async run(status: RegExp | string = /^Finished/): Promise<string> {
    await this.button('Run').click();
    return this.expectStatus(status);
  }

  async expectStatus(status: RegExp | string): Promise<string> {
    await this.status.filter({ hasText: status }).waitFor();
    return (await this.element.locator(':is(.output, .failure)').allTextContents()).join('');
  }

  /** Replaces the sample's code. */
  async write(code: string): Promise<void> {
    if (await this.button('Edit').isVisible()) await this.button('Edit').click();
    await this.element.getByRole('textbox', { name: 'Code' }).fill(code);
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
