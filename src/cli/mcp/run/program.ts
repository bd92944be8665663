import { Worker } from 'node:worker_threads';
import { isRecord } from '../../../shared/is-record.ts';
import type { Effect } from '../../catalogue/index.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import type { Context } from '../context.ts';
import { type Dialogue, invoke, type Outcome, type Wanted } from '../invoke.ts';
import { type FromWorker, limits, type ToWorker } from './messages.ts';

/** Where a program stopped: at its end, or at a question to the person. */
export type Stop =
  | { kind: 'done'; value: unknown; calls: readonly string[] }
  /** `isOwn`: the reason is the server's, not a text that the program may have read. */
  | { kind: 'failed'; reason: string; calls: readonly string[]; isOwn: boolean }
  | { kind: 'question'; id: string; message: string };

const patienceMilliseconds = 250;

export interface ProgramOptions {
  effects: readonly Effect[];
  /** The module that the worker runs. */
  url: URL;
  milliseconds: number;
  text: string;
}

interface ProgramCall {
  id: number;
  wanted: Wanted;
}

/**
 * One program in its worker. Its calls are made one after the other, so that it is idle while the person is asked, and the
 * clock can stand still.
 */
export class Program {
  readonly #worker: Worker;
  readonly #context: Context;
  readonly #effects: readonly Effect[];
  readonly #queue: ProgramCall[] = [];
  readonly #calls: string[] = [];
  /** What the server said about calls that failed. A program that does not catch it ends with it. */
  readonly #refusals = new Set<string>();
  readonly #abort = new AbortController();
  #asked: { call: ProgramCall; question: string } | undefined;
  #isBusy = false;
  #canAsk = false;
  readonly #milliseconds: number;
  #left: number;
  #clock: { timer: NodeJS.Timeout; since: number } | undefined;
  #stop: ((stop: Stop) => void) | undefined;
  #end: Stop | undefined;

  constructor(context: Context, { effects, url, milliseconds, text }: ProgramOptions) {
    this.#milliseconds = milliseconds;
    this.#left = milliseconds;
    this.#context = context;
    this.#effects = effects;
    this.#worker = new Worker(url, {
      workerData: text,
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    // A client that has left must not wait for a program.
    this.#worker.unref();
    this.#worker
      .on('message', (message: FromWorker) => this.#receive(message))
      .on('error', ({ message }) => this.#finish({ kind: 'failed', reason: message, calls: this.#calls, isOwn: false }))
      .on('exit', () =>
        this.#finish({ kind: 'failed', reason: 'The program ended early.', calls: this.#calls, isOwn: true }),
      );
  }

  get question(): string | undefined {
    return this.#asked?.question;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Goes on until the next stop. After a question, with its answer. */
  proceed(dialogue: Dialogue): Promise<Stop> {
    this.#canAsk = dialogue.canAsk;
    const stopped = new Promise<Stop>((resolve) => {
      this.#stop = resolve;
    });
    if (this.#end) this.#stop?.(this.#end);
    this.#startClock();
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked) void this.#make(asked.call, { question: dialogue.question, answer: dialogue.answer });
    dialogue.signal.addEventListener('abort', () => this.end('The client cancelled it.'), { once: true });
    return stopped;
  }

  /** Ends the program at once. */
  end(reason: string): void {
    this.#finish({ kind: 'failed', reason, calls: this.#calls, isOwn: true });
  }

  #receive(message: FromWorker): void {
    if (message.kind !== 'call') {
      const calls = this.#calls;
      if (message.kind === 'done') this.#finish({ kind: 'done', value: parse(message.value), calls });
      else this.#finish({ ...message, calls, isOwn: this.#refusals.has(message.reason) });
      return;
    }
    const params = parse(message.params);
    const wanted = { method: message.method, params: isRecord(params) ? params : {} };
    this.#queue.push({ id: message.id, wanted });
    this.#next();
  }

  #next(): void {
    if (this.#isBusy || this.#asked || this.#end) return;
    const call = this.#queue.shift();
    if (call) void this.#make(call, {});
  }

  async #make(call: ProgramCall, answered: Pick<Dialogue, 'question' | 'answer'>): Promise<void> {
    const { id, wanted } = call;
    this.#isBusy = true;
    const at = this.#calls.push(`${wanted.method} (in progress: it may have been processed)`) - 1;
    const dialogue = { canAsk: this.#canAsk, signal: this.#abort.signal, ...answered };
    const outcome: Outcome =
      at < limits.calls
        ? await invoke(this.#context, wanted, this.#effects, dialogue)
        : { kind: 'failure', text: `A program makes at most ${limits.calls} calls. Nothing was sent.` };
    this.#isBusy = false;
    if (this.#end) return;
    if (outcome.kind === 'question') {
      this.#calls.pop();
      this.#asked = { call, question: outcome.id };
      this.#stopClock();
      this.#stop?.({ kind: 'question', id: outcome.id, message: outcome.message });
      return;
    }
    this.#calls[at] = outcome.kind === 'failure' ? `${wanted.method} (failed)` : wanted.method;
    this.#answer(id, outcome);
    this.#next();
  }

  #answer(id: number, outcome: Exclude<Outcome, { kind: 'question' }>): void {
    const { mask } = this.#context;
    const answer: ToWorker =
      outcome.kind === 'reply'
        ? { id, reply: mask.apply(JSON.stringify(hideSecretFields(outcome.reply)) ?? 'null') }
        : { id, failure: mask.apply(outcome.text) };
    if (answer.failure !== undefined) this.#refusals.add(answer.failure);
    this.#worker.postMessage(answer);
  }

  #startClock(): void {
    const timer = setTimeout(() => this.end(`It was ended after ${this.#milliseconds / 1000} seconds.`), this.#left);
    timer.unref();
    this.#clock = { timer, since: performance.now() };
  }

  #stopClock(): void {
    if (!this.#clock) return;
    clearTimeout(this.#clock.timer);
    this.#left -= performance.now() - this.#clock.since;
    this.#clock = undefined;
  }

  #finish(stop: Stop): void {
    if (this.#end) return;
    this.#end = stop;
    this.#stopClock();
    this.#abort.abort(new Error('The program ended'));
    // A large copy inside QuickJS ends before its thread does: the client does not wait for that.
    const patience = setTimeout(() => this.#stop?.(stop), patienceMilliseconds);
    void this.#worker.terminate().then(() => {
      clearTimeout(patience);
      this.#stop?.(stop);
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
