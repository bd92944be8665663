import type { Client } from 'carillon';
import { certainlyFits } from './certainly-fits.ts';
import { checkParams, type Params } from './check-names.ts';
import type { Method } from './methods.ts';
import { reasonToAsk } from './needs-consent.ts';
import type { Question } from './question.ts';

/** A call whose parameters fit the spec. */
export interface Checked {
  readonly params: Params;
  /** Sentences about parameter problems that do not stop the call. */
  readonly notes: readonly string[];
}

/** Creates the question about the calls. */
export type ReadQuestion = (client: Client, reason: string) => Promise<Question>;

/** The steps in which a program makes calls: it connects, asks a person, sends, and reports the result. */
export interface Program<Place, End> {
  /** Which checks to skip: `values` skips the check of the values, `all` skips the checks of names and values. */
  readonly unchecked?: 'values' | 'all' | undefined;
  /**
   * Returns how many people or records the calls can affect without confirmation (`most`), and how many earlier calls have
   * affected (`before`).
   */
  limits?(): { readonly most: number; readonly before: number };
  readonly signal: AbortSignal;
  /**
   * Reports the problems in a call that does not fit the spec. No call is sent.
   *
   * @param at - index of the first call that does not fit
   */
  endInvalid(problems: readonly string[], at: number): End;
  /** Connects to the service, to make calls whose parameters fit the spec. */
  connect(calls: readonly Checked[]): Place | Promise<Place>;
  /**
   * Gets a person's consent to calls that change something.
   *
   * @param reason - why the person is asked: the rest of a sentence that begins with "This"; `undefined` if no confirmation is
   * needed
   * @returns the result to report if the person does not consent, or `undefined` if the calls can be sent
   */
  consent(place: Place, reason: string | undefined, readQuestion: ReadQuestion): Promise<End | undefined>;
  /** Sends the calls, and reports the result. */
  send(place: Place): Promise<End>;
}

/** Makes calls to one method: checks the parameters, asks a person to confirm if necessary, and sends the calls. */
export async function runCalls<Place, End>(
  method: Method,
  calls: readonly Params[],
  program: Program<Place, End>,
): Promise<End> {
  const checked: Checked[] = [];
  for (const [at, params] of calls.entries()) {
    const { problems, notes } = await check(method, params, program.unchecked);
    if (problems.length > 0) return program.endInvalid(problems, at);
    checked.push({ params, notes });
    // Other work in the process continues between the checks of a set.
    if (calls.length > 1) await new Promise(setImmediate);
  }
  const place = await program.connect(checked);
  if (method.effect !== 'read') {
    const { most, before } = program.limits?.() ?? {};
    const reason = reasonToAsk(method, calls, most, before);
    const end = await program.consent(place, reason, async (client, why) => {
      const { readQuestion } = await import('./question.ts');
      return readQuestion(client, method, why, calls, program.signal);
    });
    if (end !== undefined) return end;
  }
  return program.send(place);
}

/** Returns the problems that stop a call, and notes about problems that do not. */
async function check(
  method: Method,
  params: Params,
  unchecked: 'values' | 'all' | undefined,
): Promise<{ problems: readonly string[]; notes: readonly string[] }> {
  const problems = unchecked === 'all' ? [] : checkParams(method, params);
  // Loading the validators takes longer than a call, so they are loaded only for values that need them.
  const isCertain = (Object.keys(params).length === 0 && !method.bodyRequired) || certainlyFits(method, params);
  if (problems.length > 0 || unchecked !== undefined || isCertain) return { problems, notes: [] };
  const { checkValues } = await import('./check-values.ts');
  const found = checkValues(method, params);
  return {
    problems: found.filter(({ inferred }) => !inferred).map(({ text }) => text),
    notes: found
      .filter(({ inferred }) => inferred)
      .map(({ text }) => `${text} This limit is assumed, not documented, so it does not stop the call.`),
  };
}
