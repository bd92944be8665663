import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isRecord } from '../../../shared/is-record.ts';
import { isDeeperThan } from '../../../shared/nesting.ts';
import type { Effect } from '../../catalogue/index.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import { cutText } from '../../text/cut-text.ts';
import type { Context } from '../context.ts';
import { type Dialogue, makeCalls, prepare } from '../invoke.ts';
import type { Ready } from '../outcome.ts';
import type { Session } from '../session.ts';
import { type FromWorker, type ToWorker, tooManyCalls } from './messages.ts';

/** Stop of a program, at its end or at a question to the person. */
export type Stop =
  | { kind: 'done'; value: unknown; calls: readonly string[] }
  /** With `isOwn`, the reason is a text of the server, and not one that the program may have read. */
  | { kind: 'failed'; reason: string; calls: readonly string[]; isOwn: boolean }
  | { kind: 'question'; id: string; message: string };

const patienceMilliseconds = 250;
/** Deeper than any result that an agent can read. */
const maxLevels = 100;

export interface ProgramOptions {
  effects: readonly Effect[];
  /** The module that the worker runs. */
  url: URL;
  milliseconds: number;
  text: string;
  session: Session;
}

interface ProgramCall {
  id: number;
  ready: Ready;
}

/**
 * One program in its worker. It makes its calls one after the other, so that it is idle during a question to the person, and
 * its clock can stop.
 */
export class WorkerProgram {
  readonly #worker: Worker;
  readonly #context: Context;
  readonly #effects: readonly Effect[];
  readonly #queue: ProgramCall[] = [];
  readonly #calls: string[] = [];
  /** The server's texts about failed calls. A program that does not catch such an error ends with it. */
  readonly #refusals = new Set([tooManyCalls]);
  readonly #abort = new AbortController();
  #asked: { calls: ProgramCall[]; question: string } | undefined;
  #isBusy = false;
  #isReceiving = false;
  #received: Promise<void> = Promise.resolve();
  readonly #session: Session;
  readonly #records = new Map<string, number>();
  #canAsk = false;
  readonly #milliseconds: number;
  #left: number;
  #clock: { timer: NodeJS.Timeout; since: number } | undefined;
  #stop: ((stop: Stop) => void) | undefined;
  #end: Stop | undefined;

  constructor(context: Context, { effects, url, milliseconds, text, session }: ProgramOptions) {
    this.#session = session;
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
    // The process must be able to end while a program runs.
    this.#worker.unref();
    this.#worker
      .on('message', (messages: FromWorker[]) => {
        this.#received = this.#received
          .then(() => this.#receive(messages))
          .catch((error: unknown) => this.end(error instanceof Error ? error.message : String(error)));
      })
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

  /** Runs the program until its next stop. After a question, the dialogue has the answer. */
  proceed(dialogue: Dialogue): Promise<Stop> {
    this.#canAsk = dialogue.canAsk;
    const stopped = new Promise<Stop>((resolve) => {
      this.#stop = resolve;
    });
    if (this.#end) this.#stop?.(this.#end);
    this.#startClock();
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked) void this.#make(asked.calls, { question: dialogue.question, answer: dialogue.answer });
    dialogue.signal.addEventListener('abort', () => this.end('The client cancelled it.'), { once: true });
    return stopped;
  }

  /** Ends the program at once. */
  end(reason: string): void {
    this.#finish({ kind: 'failed', reason, calls: this.#calls, isOwn: true });
  }

  /** Handles messages in their order. Calls of other agents go on between the checks of a program's calls. */
  async #receive(messages: readonly FromWorker[]): Promise<void> {
    // Calls that were made together stay one set.
    this.#isReceiving = true;
    for (const message of messages) {
      if (this.#end) return;
      if (message.kind === 'call') {
        this.#enqueue(message);
        await turn();
      } else if (message.kind === 'done') this.#done(parse(message.value));
      else this.#finish({ ...message, calls: this.#calls, isOwn: this.#refusals.has(message.reason) });
    }
    this.#isReceiving = false;
    this.#next();
  }

  #enqueue({ id, method, params: json }: Extract<FromWorker, { kind: 'call' }>): void {
    const params = parse(json);
    const ready = prepare(this.#context, method, isRecord(params) ? params : {}, this.#effects);
    if (ready.kind === 'ready') {
      this.#queue.push({ id, ready });
      return;
    }
    this.#calls.push(`${cutText(method, 80)} (failed)`);
    this.#answer(id, ready);
  }

  #done(value: unknown): void {
    const calls = this.#calls;
    if (!isDeeperThan(value, maxLevels)) this.#finish({ kind: 'done', value, calls });
    else this.#finish({ kind: 'failed', reason: 'The result is nested too deep: return less.', calls, isOwn: true });
  }

  /**
   * Makes the next calls. Calls of one method that were made together, as with Promise.all, are one set with one question.
   */
  #next(): void {
    if (this.#isReceiving || this.#isBusy || this.#asked || this.#end) return;
    const [first] = this.#queue;
    if (!first) return;
    const { method } = first.ready;
    const isSet = method.effect !== 'read';
    const end = this.#queue.findIndex(({ ready }, at) => at > 0 && !(isSet && ready.method === method));
    void this.#make(this.#queue.splice(0, end === -1 ? this.#queue.length : end), {});
  }

  async #make(calls: ProgramCall[], answered: Pick<Dialogue, 'question' | 'answer'>): Promise<void> {
    this.#isBusy = true;
    const at = this.#calls.length;
    const names = calls.map(({ ready }) => ready.method.name);
    this.#calls.push(...names.map((name) => `${name} (in progress: it may have been processed)`));
    const dialogue = {
      canAsk: this.#canAsk,
      session: this.#session,
      records: this.#records,
      signal: this.#abort.signal,
      ...answered,
    };
    const ready = calls.map((call) => call.ready);
    const outcomes = await makeCalls(this.#context, ready, dialogue).catch((error: unknown) => ({
      kind: 'failure' as const,
      text: `The server failed: ${error instanceof Error ? error.message : String(error)}`,
    }));
    this.#isBusy = false;
    if (this.#end) return;
    if (!Array.isArray(outcomes) && outcomes.kind === 'question') {
      this.#calls.length = at;
      this.#asked = { calls, question: outcomes.id };
      this.#stopClock();
      this.#stop?.({ kind: 'question', id: outcomes.id, message: outcomes.message });
      return;
    }
    for (const [index, { id }] of calls.entries()) {
      const outcome = Array.isArray(outcomes) ? outcomes[index] : outcomes;
      if (!outcome) continue;
      this.#calls[at + index] = outcome.kind === 'failure' ? `${names[index]} (failed)` : `${names[index]}`;
      this.#answer(id, outcome);
    }
    this.#next();
  }

  #answer(id: number, outcome: { kind: 'reply'; reply: unknown } | { kind: 'failure'; text: string }): void {
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
    // The thread ends only after a large copy inside QuickJS. The client does not wait for that.
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
