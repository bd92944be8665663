import type { Client } from 'carillon';
import { certainlyFits } from './certainly-fits.ts';
import { checkParams, type Params } from './check-names.ts';
import type { Method } from './methods.ts';
import { reasonToAsk } from './needs-consent.ts';
import type { Question } from './question.ts';

/** A call that fits the spec. */
export interface Checked {
  readonly params: Params;
  /** Sentences about the parameters that do not stop the call. */
  readonly notes: readonly string[];
}

/** Reads the question about the calls, and about further ones of the same method. */
export type ReadQuestion = (client: Client, reason: string, others?: readonly Params[]) => Promise<Question>;

/** How a program makes calls: it connects, asks a person, sends, and says what was done. */
export interface Program<Place, End> {
  /** Whether to skip the check of the values, or of names and values. */
  readonly unchecked?: 'values' | 'all' | undefined;
  /** Maximum number of people or records without a question, and the number of those in earlier calls. */
  limits?(): { readonly most: number; readonly before: number };
  readonly signal: AbortSignal;
  /**
   * Ends calls that do not fit the spec.
   *
   * @param at - the first call that does not fit
   */
  endInvalid(problems: readonly string[], at: number): End;
  /** Connects for calls that fit. */
  connect(calls: readonly Checked[]): Place | Promise<Place>;
  /**
   * Gets the consent of a person to calls that change something.
   *
   * @param reason - why the person is asked, as it follows "This"; `undefined` if no question is needed
   * @returns how the calls end without a consent, or `undefined`
   */
  consent(place: Place, reason: string | undefined, readQuestion: ReadQuestion): Promise<End | undefined>;
  /** Sends the calls, and says what was done. */
  send(place: Place): Promise<End>;
}

/** Makes calls of one method: checks them, asks a person if there is a reason, and sends them. Every call takes this path. */
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
    // Other work of the process goes on between the checks of a set.
    if (calls.length > 1) await new Promise(setImmediate);
  }
  const place = await program.connect(checked);
  if (method.effect !== 'read') {
    const { most, before } = program.limits?.() ?? {};
    const reason = reasonToAsk(method, calls, most, before);
    const end = await program.consent(place, reason, async (client, why, others = []) => {
      const { readQuestion } = await import('./question.ts');
      return readQuestion(client, method, why, [...calls, ...others], program.signal);
    });
    if (end !== undefined) return end;
  }
  return program.send(place);
}

/** The problems that stop a call, and notes about those that do not. */
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
