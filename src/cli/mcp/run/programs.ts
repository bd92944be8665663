import type { Effect } from '../../catalogue/index.ts';
import { cutText } from '../../text/cut-text.ts';
import { consentMilliseconds } from '../consent.ts';
import type { Context } from '../context.ts';
import type { Dialogue } from '../invoke.ts';
import { estimateTokens, frameData, maxEstimated, shorten } from '../result.ts';
import type { Session } from '../session.ts';
import { limits } from './messages.ts';
import { type Stop, WorkerProgram } from './program.ts';

/** The outcome of a program, or its next question. */
export type RunOutcome = { kind: 'text' | 'failure'; text: string } | { kind: 'question'; id: string; message: string };

/** The programs that run or wait for the person. */
export class Programs {
  readonly effects: readonly Effect[];
  readonly #worker: URL;
  readonly #milliseconds: number;
  readonly #running = new Set<WorkerProgram>();

  /**
   * @param worker - the module that a worker runs
   * @param milliseconds - time of a program, not counting the time for which it waits for the person
   */
  constructor(worker: URL, effects: readonly Effect[], milliseconds: number = limits.milliseconds) {
    this.#worker = worker;
    this.#milliseconds = milliseconds;
    this.effects = effects;
  }

  /** Starts a program, or continues the one whose question was answered. */
  async run(context: Context, text: string, dialogue: Dialogue): Promise<RunOutcome> {
    const program =
      dialogue.question === undefined ? this.#start(context, text, dialogue.session) : this.#waiting(dialogue.question);
    if (typeof program === 'string') return { kind: 'failure', text: program };
    const stop = await program.proceed(dialogue);
    if (stop.kind !== 'question') {
      this.#running.delete(program);
      return report(stop);
    }
    setTimeout(() => {
      if (program.question !== stop.id) return;
      program.end('The question was not answered in time.');
      this.#running.delete(program);
    }, consentMilliseconds).unref();
    return stop;
  }

  close(): void {
    for (const program of this.#running) program.end('The server is stopping.');
    this.#running.clear();
  }

  #start(context: Context, text: string, session: Session): WorkerProgram | string {
    for (const program of this.#running) if (program.hasEnded) this.#running.delete(program);
    if (text.length > limits.characters)
      return `A program has at most ${limits.characters} characters. This one did not run.`;
    const waiting = [...this.#running].filter(({ question }) => question !== undefined).length;
    if (waiting >= limits.waiting) return `${waiting} programs already wait for the person. This one did not run.`;
    if (this.#running.size - waiting >= limits.programs)
      return `${limits.programs} programs already run. This one did not run.`;
    const program = new WorkerProgram(context, {
      effects: this.effects,
      url: this.#worker,
      milliseconds: this.#milliseconds,
      text,
      session,
    });
    this.#running.add(program);
    return program;
  }

  #waiting(question: string): WorkerProgram | string {
    const found = [...this.#running].find((program) => program.question === question);
    return found ?? 'No program waits for this answer. Nothing was sent.';
  }
}

function report(stop: Exclude<Stop, { kind: 'question' }>): RunOutcome {
  const counted = new Map<string, number>();
  for (const call of stop.calls) counted.set(call, (counted.get(call) ?? 0) + 1);
  const listed = [...counted].map(([call, count]) => (count === 1 ? call : `${call} × ${count}`)).join(', ');
  const calls = `Calls: ${listed === '' ? 'none' : cutText(listed, 1_500)}.`;
  const isLong = (text: string): boolean => estimateTokens(text) + estimateTokens(calls) > maxEstimated;
  if (stop.kind === 'failed') {
    return {
      kind: 'failure',
      text: `The program failed. ${calls}\n${stop.isOwn ? `Reason: ${cutText(stop.reason, 3_000)}` : frameData('Reason', cutText(stop.reason, 1_500))}`,
    };
  }
  const { json, isShort } = shorten(stop.value, (text) => !isLong(text));
  const note = isShort ? ' Shortened: return less.' : '';
  return { kind: 'text', text: `The program ended. ${calls}${note}\n${frameData('Its result', json)}` };
}
