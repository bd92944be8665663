/**
 * The worker that runs samples. It holds the client and a sandbox that handles every request, so no request reaches the
 * network.
 */
// Must be first, because later imports read these globals.
import './worker-globals.ts';
import * as carillon from 'carillon';
import * as carillonSandbox from 'carillon-sandbox';
import { createSandbox, type Sandbox, type Store, type StoredChange } from 'carillon-sandbox';
import type { FromWorker, OutputLine, ShownError, ToWorker } from './messages.ts';
import { runModule } from './run-module.ts';
import { describeError, showValue } from './show-value.ts';

const modules = { carillon, 'carillon-sandbox': carillonSandbox };

/** Maximum output of a run, so that the page stays fast. */
const maxLines = 1_000;
const maxCharacters = 200_000;

let sandbox: Sandbox | undefined;
let lines = 0;
let characters = 0;
/** Requests of programs. */
let requests = 0;
let responses = 0;

function post(message: FromWorker): void {
  self.postMessage(message);
}

function print(level: OutputLine['level'], values: unknown[]): void {
  const isFull = lines >= maxLines || characters >= maxCharacters;
  if (isFull && lines === Number.POSITIVE_INFINITY) return;
  const text = isFull ? 'The rest of the output is left out.' : values.map(showValue).join(' ');
  lines = isFull ? Number.POSITIVE_INFINITY : lines + 1;
  characters += text.length;
  post({ kind: 'output', line: { level, text } });
}

for (const [name, level] of Object.entries({
  log: 'log',
  info: 'log',
  debug: 'log',
  dir: 'log',
  table: 'log',
  warn: 'warn',
  error: 'error',
} as const))
  Reflect.set(console, name, (...values: unknown[]) => print(level, values));

/** Stores the data in the page, because this worker may be ended at any moment. */
function pageStore(kept: readonly StoredChange[]): Store {
  return {
    read: () => kept,
    write: (changes) => post({ kind: 'changes', changes: [...changes] }),
    close() {},
  };
}

function create(kept: readonly StoredChange[]): Sandbox {
  const options = { control: true, worlds: 'shared' } as const;
  try {
    return createSandbox({ ...options, store: pageStore(kept) });
  } catch {
    // An older version of this page stored it.
    post({ kind: 'forget' });
    return createSandbox({ ...options, store: pageStore([]) });
  }
}

function start(kept: readonly StoredChange[]): void {
  const created = create(kept);
  sandbox = created;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    requests += 1;
    const response = await created.fetch(request).finally(() => (responses += 1));
    // Responses of `fetch` have a URL, but responses created by scripts do not.
    return Object.defineProperty(response, 'url', { value: request.url });
  };
  post({ kind: 'ready' });
}

async function run(code: string): Promise<void> {
  lines = 0;
  characters = 0;
  const begun = performance.now();
  const finish = (error?: ShownError) =>
    post({ kind: 'finished', milliseconds: performance.now() - begun, ...(error && { error }) });
  try {
    let received = 0;
    await runModule(code, modules, () => (received = responses));
    // A call that is not awaited begins after the program.
    await new Promise((resolve) => setTimeout(resolve));
    if (requests > received) print('warn', ['The program ended before its requests: is an await missing?']);
    finish();
  } catch (error) {
    finish(describeError(error));
  }
}

async function control({ id, url, method, headers, body }: Extract<ToWorker, { kind: 'control' }>): Promise<void> {
  const init = { method, headers, ...(body !== '' && { body }) };
  const response = await (sandbox?.fetch(url, init) ?? new Response('', { status: 503 }));
  post({ kind: 'response', id, status: response.status, headers: [...response.headers], body: await response.text() });
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') start(data.kept);
  else if (data.kind === 'run') void run(data.code);
  else void control(data);
});
// Promises and timers of a sample can fail after its end.
self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  print('error', [event.reason]);
});
self.addEventListener('error', (event) => {
  event.preventDefault();
  print('error', [event.error]);
});
