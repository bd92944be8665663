import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A reader's page, with the violations and errors that it caused. */
export interface Visit {
  page: Page;
  /** Requests to anything but the page's own origin, or the disk if it is from there. Each was blocked. */
  outside: string[];
  /** Errors that the page logged or threw, including requests that its own policy blocked. */
  errors: string[];
  close(): Promise<void>;
}

const schemes = /^(?:file|data|blob|about):/;

/** Opens a page in its own context, with a clock that tests can advance. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  // Without transitions, because laying out each frame takes a third of the time of a click.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const own = new URL(url).origin;
  const isLocal = (address: string): boolean => schemes.test(address) || new URL(address).origin === own;
  const outside: string[] = [];
  const errors: string[] = [];
  context.on('request', (request) => {
    if (!isLocal(request.url())) outside.push(request.url());
  });
  await context.route(
    (address) => !isLocal(address.href),
    (route) => route.abort(),
  );
  await context.clock.install();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('websocket', (socket) => outside.push(socket.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  await page.goto(url);
  return { page, outside, errors, close: () => context.close() };
}
