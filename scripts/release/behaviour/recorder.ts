/**
 * A setup file of Vitest that records what the tests of a checkout do with their sandboxes. Each step is a line in this
 * process's file. Imports neither Vitest nor this checkout, because it may record another one.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import { type RecordedLine, readReply, type Step } from './exchange.ts';

type Create = (options?: SandboxOptions) => Sandbox;

declare global {
  // Vitest sets it.
  var expect: { getState(): { currentTestName?: string } };
  var recordSandbox: ((create: Create) => Create) | undefined;
}

const { RECORD_RELEASE: release = '', RECORD_FOLDER: folder = '' } = process.env;
const entry = pathToFileURL(join(release, 'src', 'sandbox', 'index.ts')).href;
let sandboxes = 0;

if (!globalThis.recordSandbox) {
  globalThis.recordSandbox = (create) => (options) => record(create(options), options ?? {});
  // The sandbox's entry, with a `createSandbox` that records.
  const source = `
    import { createSandbox as create } from '${entry}?recorded';
    export * from '${entry}?recorded';
    export const createSandbox = globalThis.recordSandbox(create);`;
  registerHooks({
    load: (url, context, next) =>
      url === entry ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
}

function write(line: RecordedLine): void {
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(line)}\n`);
}

/** Parts of a sandbox that a replay cannot repeat. Recording ends when a test uses one. */
const unrecorded: PropertyKey[] = ['faults', 'handle', 'respond', 'reset', 'restore', 'startScenario', 'world'];

function record(sandbox: Sandbox, options: SandboxOptions): Sandbox {
  const { store, faults, scenario, ...others } = options;
  let isOpen = !store && !faults && !scenario && options.startAt !== undefined;
  sandboxes += 1;
  const sandboxNumber = sandboxes;
  const add = (step: Step): void => {
    if (isOpen) write({ sandbox: sandboxNumber, step });
  };
  if (isOpen) write({ sandbox: sandboxNumber, options: others });
  const clock: Sandbox['clock'] = {
    now: () => sandbox.clock.now(),
    get isFrozen() {
      return sandbox.clock.isFrozen;
    },
    advance(milliseconds) {
      sandbox.clock.advance(milliseconds);
      add({ advance: milliseconds });
    },
    freeze(at) {
      sandbox.clock.freeze(at);
      add({ freeze: sandbox.clock.now() });
    },
    resume() {
      sandbox.clock.resume();
      isOpen = false;
    },
  };
  const send: Sandbox['fetch'] = async (input, init) => {
    if (!isOpen) return sandbox.fetch(input, init);
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    const response = await sandbox.fetch(request);
    const { method, headers } = request;
    add({
      test: globalThis.expect.getState().currentTestName ?? '',
      request: { method, path: pathname + search, headers: Object.fromEntries(headers), ...(body !== '' && { body }) },
      reply: readReply(response.status, response.headers, await response.clone().text()),
    });
    return response;
  };
  return new Proxy(sandbox, {
    get(target, name) {
      if (name === 'fetch') return send;
      if (name === 'clock') return clock;
      if (unrecorded.includes(name)) isOpen = false;
      return Reflect.get(target, name);
    },
  });
}
