import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { listen } from '../../support/server.ts';
import { readGuideText } from './tables.ts';

if (missingChromium) console.warn(`The program of the sandbox guide is not run in a browser: ${missingChromium}`);

/** The block that needs a browser, as a page's script. */
async function bundleProgram(): Promise<string> {
  const [, contents = ''] = /^```ts browser\n(.*?)^```$/ms.exec(readGuideText('sandbox')) ?? [];
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', resolveDir: repositoryRoot },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

test.skipIf(missingChromium)(
  'the browser program of the sandbox guide reads back what it created',
  async () => {
    const worker = await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8');
    const script = await bundleProgram();
    const app = await listen(({ url }, response) => {
      if (url === '/') {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>');
      } else {
        response.setHeader('content-type', 'text/javascript');
        response.end(url === '/app.js' ? script : worker);
      }
    });
    // Service workers exist only in browsers.
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    const page = await context.newPage();
    const atApi: string[] = [];
    // Service workers' requests appear here. A request to the API would be one that MSW did not intercept.
    context.on('request', (request) => {
      if (request.serviceWorker() && request.url().startsWith('https:')) atApi.push(request.url());
    });
    await page.goto(app.url);
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('Annual plan renewal');
    expect(await page.evaluate('sandbox.requests.map(({ operation }) => operation)')).toEqual([
      'createDeal',
      'getDeal',
    ]);
    expect(atApi).toEqual([]);
  },
  40_000,
);
