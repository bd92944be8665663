import { messageOf } from '../../../src/shared/message-of.ts';
import { KeptData } from './kept-data.ts';
import type { FromWorker, OutputLine, ShownError, ToWorker } from './messages.ts';

/** Timeout for loading the worker, in milliseconds. */
const loadDeadline = 30_000;
/** Timeout for a request to the control API, in milliseconds. */
const controlDeadline = 10_000;

/** How a run ended. */
export type RunOutcome =
  | { kind: 'finished'; milliseconds: number; error?: ShownError | undefined }
  /** Stopped by the reader. */
  | { kind: 'stopped' }
  /** Stopped at its deadline. */
  | { kind: 'late' }
  /** The worker could not be loaded. */
  | { kind: 'unavailable'; reason: string };

interface StartedWorker {
  worker: Worker;
  ready: Promise<void>;
  /** Rejects `ready` if it is pending. */
  fail(error: Error): void;
  /** Resolvers of pending control requests, by number. */
  waiting: Map<number, (response: Response | Error) => void>;
}

/**
 * The sandbox of a page, in a worker that is loaded on first use. All samples of a page share it, one run at a time. Its
 * data outlive the worker. Fires `change` when a run begins or ends.
 */
export class PageSandbox extends EventTarget {
  readonly #kept = new KeptData();
  #hasChanges = !this.#kept.isEmpty;
  #started: StartedWorker | undefined;
  #lastId = 0;
  /** The current run. */
  #run: { end(outcome: RunOutcome): void } | undefined;
  /** Receives the output of the last run, even after its end. */
  #print: (line: OutputLine) => void = () => {};

  /** Whether the data differ from the initial ones, because a program has run on this page or an earlier one. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Runs a program.
   *
   * @param deadline - in milliseconds, counted from when the worker is ready
   * @param loaded - called when the worker is ready
   * @throws `Error` if another run is in progress
   */
  async run(
    code: string,
    { deadline, loaded, print }: { deadline: number; loaded(): void; print(line: OutputLine): void },
  ): Promise<RunOutcome> {
    if (this.#run) throw new Error('Another sample is running');
    const ended = new Promise<RunOutcome>((end) => {
      this.#run = { end };
    });
    this.#print = print;
    this.dispatchEvent(new Event('change'));
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const started = await Promise.race([this.#start(), ended]);
      if ('kind' in started) return started;
      loaded();
      timer = setTimeout(() => this.#end({ kind: 'late' }), deadline);
      post(started.worker, { kind: 'run', code });
      this.#hasChanges = true;
      return await ended;
    } catch (error) {
      this.#terminate();
      return { kind: 'unavailable', reason: messageOf(error) };
    } finally {
      clearTimeout(timer);
      this.#run = undefined;
      this.dispatchEvent(new Event('change'));
    }
  }

  /** Ends the current run. Keeps the data that it has changed. */
  stop(): void {
    this.#end({ kind: 'stopped' });
  }

  /** Restores the sandbox's initial state, including data and time. */
  reset(): void {
    this.#end({ kind: 'stopped' });
    this.#terminate();
    this.#kept.clear();
    this.#hasChanges = false;
  }

  /** Handles requests of the inspector. */
  async fetch(request: Request): Promise<Response> {
    const { worker, waiting } = await this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const { url, method } = request;
    const message: ToWorker = {
      kind: 'control',
      id,
      url,
      method,
      headers: [...request.headers],
      body: await request.text(),
    };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error('The sandbox is busy')), controlDeadline);
      const settle = (response: Response | Error): void => {
        clearTimeout(timer);
        waiting.delete(id);
        if (response instanceof Error) reject(response);
        else resolve(response);
      };
      waiting.set(id, settle);
      post(worker, message);
    });
  }

  /** @throws `Error` if the worker cannot be loaded */
  async #start(): Promise<StartedWorker> {
    this.#started ??= this.#load();
    const started = this.#started;
    try {
      await started.ready;
      return started;
    } catch (error) {
      if (this.#started === started) this.#terminate();
      throw error;
    }
  }

  #load(): StartedWorker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const waiting: StartedWorker['waiting'] = new Map();
    let fail: StartedWorker['fail'] = () => {};
    const ready = new Promise<void>((resolve, reject) => {
      fail = reject;
      setTimeout(() => reject(new Error('It was not loaded in time.')), loadDeadline);
      worker.addEventListener('error', (event) => reject(new Error(event.message || 'It could not be loaded.')));
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'ready') resolve();
        else this.#receive(data, waiting);
      });
    });
    post(worker, { kind: 'start', kept: this.#kept.read() });
    return { worker, ready, fail, waiting };
  }

  #receive(message: Exclude<FromWorker, { kind: 'ready' }>, waiting: StartedWorker['waiting']): void {
    switch (message.kind) {
      case 'forget':
        this.#kept.clear();
        this.#hasChanges = false;
        break;
      case 'changes':
        this.#kept.keep(message.changes);
        break;
      case 'output':
        this.#print(message.line);
        break;
      case 'finished':
        this.#run?.end({ kind: 'finished', milliseconds: message.milliseconds, error: message.error });
        break;
      case 'response': {
        const { id, status, headers, body } = message;
        waiting.get(id)?.(new Response(status === 204 ? null : body, { status, headers }));
      }
    }
  }

  /** Ends the run and its worker, because an endless loop cannot be stopped otherwise. */
  #end(outcome: RunOutcome): void {
    if (!this.#run) return;
    this.#terminate();
    this.#run.end(outcome);
  }

  #terminate(): void {
    const started = this.#started;
    this.#started = undefined;
    started?.worker.terminate();
    started?.fail(new Error('It was ended.'));
    for (const settle of started?.waiting.values() ?? []) settle(new Error('The sandbox was ended'));
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
