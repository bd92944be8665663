import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installLocked, userEnvironment } from '../../../scripts/check/runtimes/package.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { listen } from '../../support/server.ts';
import { useFolder, usePacked } from './installed.ts';

const minutes = 60_000;
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Installs Vite and Storybook from the registry. */
describe.skipIf(missingChromium)('the app of the Storybook guide, with the packages installed as users do', () => {
  const folder = useFolder();
  const packed = usePacked();
  const app = (): string => join(folder(), 'app');
  let browser: Browser;

  beforeAll(async () => {
    const tarballs = packed().filter(({ name }) => ['carillon', 'carillon-sandbox'].includes(name));
    await installLocked(
      'storybook',
      app(),
      tarballs.map(({ tarball }) => tarball),
    );
    await run('msw', 'init', 'public', '--save');
    browser = await launchChromium();
  }, 10 * minutes);
  afterAll(() => browser?.close());

  /** Runs a command of the app until it exits. */
  async function run(command: string, ...args: string[]): Promise<string> {
    const program = join(app(), 'node_modules', '.bin', command);
    const { stdout, stderr } = await promisify(execFile)(program, args, {
      cwd: app(),
      env: environment(),
      timeout: 5 * minutes,
      maxBuffer: 2 ** 26,
    });
    return stdout + stderr;
  }

  function environment(): NodeJS.ProcessEnv {
    return { ...userEnvironment(), HOME: app(), STORYBOOK_DISABLE_TELEMETRY: '1', NO_COLOR: '1', NODE_ENV: undefined };
  }

  /** Opens a page. Returns it with the requests that reached the network, and the errors of its requests and scripts. */
  async function open(url: string): Promise<{ page: Page; atApi: string[]; errors: string[] }> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const atApi: string[] = [];
    const errors: string[] = [];
    // A request that the worker of MSW sends itself did not reach the sandbox.
    context.on('request', (request) => {
      if (request.serviceWorker() && !request.url().startsWith(new URL(url).origin)) atApi.push(request.url());
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('requestfailed', (request) => errors.push(request.failure()?.errorText ?? ''));
    await page.goto(url);
    return { page, atApi, errors };
  }

  test('compiles', async () => {
    expect(await run('tsc')).toBe('');
  });

  test('shows the deals of the sandbox in development', { timeout: 2 * minutes }, async () => {
    const program = join(app(), 'node_modules', '.bin', 'vite');
    const child = spawn(program, ['--host', '127.0.0.1', '--port', '0'], { cwd: app(), env: environment() });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    while (!/http:\/\/127\.0\.0\.1:\d+\//.test(printed)) printed += (await once(child.stdout, 'data'))[0];
    const { page, atApi, errors } = await open(/http:\/\/127\.0\.0\.1:\d+\//.exec(printed)?.[0] ?? '');
    // Vite may reload the page once, after it has bundled the dependencies.
    await expect
      .poll(() => page.locator('li').allTextContents(), { timeout: minutes })
      .toEqual(['Annual plan renewal']);
    expect({ atApi, errors }).toEqual({ atApi: [], errors: [] });
  });

  test('is built without the sandbox', { timeout: 2 * minutes }, async () => {
    await run('vite', 'build');
    const scripts = globSync('dist/**/*.js', { cwd: app() }).map((file) => readFileSync(join(app(), file), 'utf8'));
    expect(scripts.some((text) => text.includes('createRoot'))).toBe(true);
    expect(scripts.filter((text) => /x-sandbox-|mockServiceWorker/.test(text))).toEqual([]);
  });

  describe('in Storybook', () => {
    beforeAll(async () => {
      await run('storybook', 'build', '--quiet');
    }, 5 * minutes);

    test.each([
      ['usual', 'li', 'Annual plan renewal', []],
      ['empty', 'p', 'There are no deals yet.', []],
      ['rejected', '[role=alert]', 'HTTP status 403', []],
      // That of a response of the worker. A name that is not found has another one.
      ['offline', '[role=alert]', 'listDeals', ['net::ERR_FAILED']],
    ])(
      'the story %s shows its state, and no request reaches the network',
      { timeout: minutes },
      async (story, selector, text, failures) => {
        const { url } = await listen(({ url: asked }, response) => {
          const path = normalize(decodeURIComponent(new URL(asked, 'http://localhost').pathname));
          const file = join(app(), 'storybook-static', path === '/' ? 'index.html' : path);
          readFile(file).then(
            (content) => response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(content),
            () => response.writeHead(404).end(),
          );
        });
        const { page, atApi, errors } = await open(`${url}/iframe.html?id=deal-list--${story}&viewMode=story`);
        await expect.poll(() => page.locator('#storybook-root').locator(selector).textContent()).toContain(text);
        expect({ atApi, errors: [...new Set(errors)] }).toEqual({ atApi: [], errors: failures });
      },
    );
  });
});
