import { parentPort, workerData } from 'node:worker_threads';
import type { QuickJSDeferredPromise } from 'quickjs-emscripten-core';
import { type FromWorker, limits, type ToWorker, tooManyCalls } from './messages.ts';

/** The globals of a program are those of JavaScript, and `call`. It has no Node APIs, network or timers. */
const prelude = (program: string): string => `{
  const { stringify, parse } = JSON, send = __call, done = __done, fail = __fail;
  delete globalThis.__call; delete globalThis.__done; delete globalThis.__fail;
  globalThis.call = (method, params = {}) => send(String(method), stringify(params)).then((text) => parse(text));
  (async () => {\n${program}\n})().then((value) => done(stringify(value) ?? 'null'), (error) => fail(String(error?.message ?? error)));
}`;

/** Size of a WebAssembly page. */
const pageBytes = 65_536;

/** Lines of the prelude before the program. */
const linesBefore = prelude('\0').split('\0')[0]?.split('\n').length ?? 1;

/** The line of the program with a syntax error. */
function lineOf(error: unknown): number | undefined {
  const stack: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'stack') : undefined;
  const [, line] = /program\.js:(\d+)/.exec(String(stack)) ?? [];
  return line === undefined ? undefined : Number(line) - linesBefore + 1;
}

/** Runs one program in QuickJS. The thread is terminated from outside, because a program may never end. */
export async function runProgram(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This module is the entry of a worker');
  const waiting: FromWorker[] = [];
  const send = (message: FromWorker): void => void waiting.push(message);
  const { newQuickJSWASMModuleFromVariant: create, newVariant } = await import('quickjs-emscripten-core');
  const { default: variant } = await import('@jitl/quickjs-singlefile-mjs-release-sync');
  // QuickJS counts less memory than it takes from the system, so limit the WebAssembly memory, too.
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: limits.memoryBytes / pageBytes });
  const runtime = (await create(newVariant(variant, { wasmMemory }))).newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: limits.stackBytes,
  });
  const vm = runtime.newContext();
  const open = new Map<number, QuickJSDeferredPromise>();

  /** Runs the program until it waits for a reply, and then sends its calls, so that it is idle while they are made. */
  function proceed(): void {
    const jobs = runtime.executePendingJobs();
    if (jobs.error) send({ kind: 'failed', reason: String(vm.dump(jobs.error)) });
    // Send calls in one batch, so that calls that were made together get one question.
    port?.postMessage(waiting.splice(0));
  }

  const define = (name: string, answer: (...texts: string[]) => ReturnType<typeof vm.newString> | undefined): void =>
    vm
      .newFunction(name, (...handles) => answer(...handles.map((handle) => vm.getString(handle))) ?? vm.undefined)
      .consume((handle) => vm.setProp(vm.global, name, handle));
  let calls = 0;
  define('__call', (method = '', params = '{}') => {
    const id = calls++;
    const promise = vm.newPromise();
    if (id < limits.calls) {
      open.set(id, promise);
      send({ kind: 'call', id, method, params });
    } else vm.newError(tooManyCalls).consume((handle) => promise.reject(handle));
    return promise.handle;
  });
  define('__done', (value = 'null') => {
    const isShort = value.length <= limits.resultCharacters;
    send(isShort ? { kind: 'done', value } : { kind: 'failed', reason: 'The result is too long: return less.' });
    return undefined;
  });
  define('__fail', (reason = '') => void send({ kind: 'failed', reason }));

  port.on('message', ({ id, reply, failure }: ToWorker) => {
    const promise = open.get(id);
    open.delete(id);
    if (failure === undefined) vm.newString(reply).consume((handle) => promise?.resolve(handle));
    else vm.newError(failure).consume((handle) => promise?.reject(handle));
    proceed();
  });
  const started = vm.evalCode(prelude(String(workerData)), 'program.js');
  if (started.error) {
    const error: unknown = vm.dump(started.error);
    const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : error;
    const line = lineOf(error);
    send({ kind: 'failed', reason: line === undefined ? String(message) : `Line ${line}: ${String(message)}` });
  }
  proceed();
}
