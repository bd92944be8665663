import { checkValues } from '../catalogue/check-values.ts';
import { callMethod, checkParams, type Effect, findMethod, type Method, type Params } from '../catalogue/index.ts';
import type { Context } from './context.ts';
import { unknownMethod } from './describe.ts';
import { writeFailure } from './failure.ts';
import { isPermitted } from './policy.ts';
import { isYes, writeQuestion } from './question.ts';
import { canEmulate, rehearse } from './rehearse.ts';
import type { View } from './result.ts';

/** A call as an agent asks for it. */
export interface Wanted extends View {
  readonly method: string;
  readonly params?: Params | undefined;
  readonly rehearse?: 'sandbox' | 'service' | undefined;
}

/** What the client of the protocol can do, and what it brought. */
export interface Dialogue {
  /** Whether it can ask the person. */
  readonly canAsk: boolean;
  /** The question that was answered, by its id, and the answer. */
  readonly question?: string | undefined;
  readonly answer?: unknown;
  readonly signal: AbortSignal;
}

/** The result of a call: a reply, a refusal or failure in words, or a question to the person. */
export type Outcome =
  | { kind: 'reply'; method: Method; reply: unknown; note?: string }
  | { kind: 'text'; text: string }
  | { kind: 'failure'; text: string }
  | { kind: 'question'; id: string; message: string };

/**
 * Makes a call, if its method, the policy and the person permit it.
 *
 * @param effects - the effects that the tool may have
 */
export async function invoke(
  context: Context,
  wanted: Wanted,
  effects: readonly Effect[],
  dialogue: Dialogue,
): Promise<Outcome> {
  const method = findMethod(wanted.method);
  if (!method) return failure(unknownMethod(wanted.method));
  const { name, effect } = method;
  // First, because the tool of a method that is not permitted may not exist.
  if (!isPermitted(context.policy, method))
    return failure(`This server does not permit ${name}. The person who started it decides that. Nothing was sent.`);
  if (!effects.includes(effect)) return failure(`${name} belongs to the tool ${effect}. Nothing was sent.`);
  const { params = {} } = wanted;
  const problems = checkParams(method, params);
  // What breaks only an assumed limit is for the service to decide.
  const values = problems.length === 0 ? checkValues(method, params) : [];
  problems.push(...values.filter(({ inferred }) => !inferred).map(({ text }) => text));
  if (problems.length > 0)
    return failure(`${problems.join(' ')} Nothing was sent. Describe ${name}, and fix the parameters.`);
  const notes = values.map(
    ({ text }) => `${text} This limit is assumed, not documented, so it does not stop the call.`,
  );
  if (wanted.rehearse === 'sandbox') return { kind: 'text', text: await rehearse(method, params, context.sandbox) };
  if (wanted.rehearse === 'service') {
    if (!canEmulate(method))
      return failure(`The service cannot rehearse ${name}. Use rehearse: "sandbox". Nothing was sent.`);
    return send(context, method, { ...params, emulate: true }, dialogue, notes, 'service');
  }
  if (effect === 'delete' || effect === 'send') {
    const refusal = askFirst(context, method, params, dialogue);
    if (refusal) return refusal;
  }
  return send(context, method, params, dialogue, notes);
}

/** Asks the person, or checks the answer. Returns `undefined` if the person agreed to exactly this call. */
function askFirst(
  { consents, refusals, where }: Context,
  method: Method,
  params: Params,
  dialogue: Dialogue,
): Outcome | undefined {
  const { canAsk, question, answer } = dialogue;
  const { name } = method;
  if (!canAsk)
    return failure(
      `${name} needs the person's consent, and this client cannot ask for it (it has no elicitation). Nothing was sent. No parameter replaces the consent. Tell the person: a client that can ask is needed for this, or they make the call themselves.`,
    );
  if (question === undefined && (refusals.get(name) ?? 0) >= mostRefusals) {
    return failure(
      `${name}: the person refused it ${mostRefusals} times, so they are not asked again. Nothing was sent. Go on without it.`,
    );
  }
  if (question === undefined) {
    if (answer !== undefined) return failure(`${name}: an answer without a question. Nothing was sent.`);
    return { kind: 'question', id: consents.open(name, params), message: writeQuestion(method, params, where) };
  }
  const invalid = consents.use(question, name, params);
  if (invalid) return failure(`${name}: ${invalidTexts[invalid]} Nothing was sent. Call it again to ask again.`);
  if (!isYes(answer)) {
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
    return failure(`${name}: the person did not agree. Nothing was sent. Do not call it again unless they ask for it.`);
  }
  refusals.delete(name);
  return undefined;
}

/** After so many refusals in a row, a method is not asked about until the server starts again. */
const mostRefusals = 2;

const invalidTexts = {
  unknown: 'the consent was used before, or never given.',
  expired: 'the consent expired.',
  other: 'the consent was for other parameters.',
} as const;

const rehearsed =
  "Rehearsal in the service's test mode (emulate): nothing was sent to people, and nothing was charged.";

async function send(
  { client }: Context,
  method: Method,
  params: Params,
  { signal }: Dialogue,
  assumed: readonly string[],
  rehearsal?: 'service',
): Promise<Outcome> {
  const notes = rehearsal ? [rehearsed, ...assumed] : assumed;
  try {
    const reply = await callMethod(client, method.name, params, { signal });
    return { kind: 'reply', method, reply, ...(notes.length > 0 && { note: notes.join('\n') }) };
  } catch (error) {
    const text = writeFailure(method, error, rehearsal);
    return failure([...notes, text].join('\n'));
  }
}

function failure(text: string): Outcome {
  return { kind: 'failure', text };
}
