import { setImmediate as turn } from 'node:timers/promises';
import { isCarillonError } from 'carillon';
import { cutText } from '../../shared/cut-text.ts';
import { hasMoreNames, isDeeperThan } from '../../shared/nesting.ts';
import { readBefore } from '../catalogue/before-call.ts';
import { checkValues } from '../catalogue/check-values.ts';
import { callMethod, checkParams, type Effect, findMethod, type Method, type Params } from '../catalogue/index.ts';
import { canEmulate, concernedBy, effectOf, reasonToAsk } from '../catalogue/needs-consent.ts';
import { noteFilters } from '../catalogue/note-filters.ts';
import type { Context } from './context.ts';
import { unknownMethod } from './describe.ts';
import { writeFailure } from './failure.ts';
import { isPermitted } from './policy.ts';
import { isYes, writeQuestion } from './question.ts';
import { rehearse } from './rehearse.ts';
import type { View } from './result.ts';
import type { Session } from './session.ts';

/** Calls that an agent asks for. */
export interface Wanted extends View {
  readonly method: string;
  readonly params?: Params | undefined;
  /** The parameters of several calls, in place of `params`. */
  readonly calls?: readonly Params[] | undefined;
  readonly rehearse?: 'sandbox' | 'service' | undefined;
}

/** Abilities, session and answer of a client of the protocol. */
export interface Dialogue {
  /** Whether the client can ask the person. */
  readonly canAsk: boolean;
  /** Id of the answered question, and the answer. */
  readonly question?: string | undefined;
  readonly answer?: unknown;
  readonly signal: AbortSignal;
  readonly session: Session;
  /** Number of records, by method, that a program changed since the last question about the method. */
  readonly records?: Map<string, number>;
}

type Reply = { kind: 'reply'; method: Method; reply: unknown; note?: string };
type Failure = { kind: 'failure'; text: string };
type Question = { kind: 'question'; id: string; message: string };

/** Result of a call, which is a reply, a text about a refusal or failure, or a question to the person. */
export type Outcome = Reply | Failure | Question | { kind: 'text'; text: string };

/** A call with valid parameters that the policy permits. */
export interface Ready {
  readonly kind: 'ready';
  readonly method: Method;
  readonly params: Params;
  /** Notes about the parameters, for the reply. */
  readonly notes: readonly string[];
}

/** Maximum number of names of an object in parameters, and of selected fields. Names are compared with each other. */
export const maxNames = 200;
/** Deeper than any parameter of the documents. */
const mostLevels = 32;
/** Deeper than any reply of the documents. */
const mostReplyLevels = 100;

/**
 * Makes a call, or a set of calls of one method, if the policy and the person permit it.
 *
 * @param effects - effects that the tool permits
 */
export async function invoke(
  context: Context,
  wanted: Wanted,
  effects: readonly Effect[],
  dialogue: Dialogue,
): Promise<Outcome> {
  const { params, calls, rehearse: where } = wanted;
  if (calls && (params || where || calls.length === 0))
    return failure(
      'calls has the params of each call, and cannot be combined with params or rehearse. Nothing was sent.',
    );
  if ((wanted.fields?.length ?? 0) > maxNames) return failure(`Select at most ${maxNames} fields. Nothing was sent.`);
  const ready: Ready[] = [];
  for (const [at, each] of (calls ?? [params ?? {}]).entries()) {
    const prepared = prepare(context, wanted.method, each, effects);
    if (prepared.kind === 'failure') return calls ? failure(`calls[${at}]: ${prepared.text}`) : prepared;
    ready.push(prepared);
    // Calls of other agents go on between the checks.
    if (calls) await turn();
  }
  const [first] = ready;
  if (!first) return failure('calls is empty. Nothing was sent.');
  if (where === 'sandbox') return { kind: 'text', text: await rehearse(first.method, first.params, context.sandbox) };
  if (where === 'service') return emulate(context, first, dialogue);
  const outcomes = await makeCalls(context, ready, dialogue);
  if (!Array.isArray(outcomes)) return outcomes;
  return calls ? summarize(first.method, outcomes) : (outcomes[0] ?? failure('The call was cancelled.'));
}

/** Checks a call without making it. */
export function prepare(
  { policy }: Context,
  wanted: string,
  params: Params,
  effects: readonly Effect[],
): Ready | Failure {
  const method = findMethod(wanted);
  if (!method) return failure(unknownMethod(wanted));
  const { name, effect } = method;
  // Check this first, because the tool of a forbidden method may not exist.
  if (!isPermitted(policy, method))
    return failure(`This server does not permit ${name}. The person who started it decides that. Nothing was sent.`);
  if (!effects.includes(effect) && !effects.includes(effectOf(method, params)))
    return failure(`${name} belongs to the tool ${effect}. Nothing was sent.`);
  if (isDeeperThan(params, mostLevels))
    return failure(`${name}: the parameters are nested more than ${mostLevels} levels deep. Nothing was sent.`);
  if (hasMoreNames(params, maxNames))
    return failure(`${name}: the parameters have an object with more than ${maxNames} names. Nothing was sent.`);
  const problems = checkParams(method, params);
  // The service decides about assumed limits.
  const values = problems.length === 0 ? checkValues(method, params) : [];
  problems.push(...values.filter(({ inferred }) => !inferred).map(({ text }) => text));
  if (problems.length > 0)
    return failure(`${problems.join(' ')} Nothing was sent. Describe ${name}, and fix the parameters.`);
  const notes = values.map(
    ({ text }) => `${text} This limit is assumed, not documented, so it does not stop the call.`,
  );
  return { kind: 'ready', method, params, notes };
}

/**
 * Makes calls of one method, one after the other. If the person has to agree, it asks once about all of them.
 *
 * @returns the outcome of each call, or the question or refusal about all calls
 */
export async function makeCalls(
  context: Context,
  ready: readonly Ready[],
  dialogue: Dialogue,
): Promise<(Reply | Failure)[] | Question | Failure> {
  const [first] = ready;
  if (!first) return [];
  const { method } = first;
  const list = ready.map(({ params }) => params);
  const unasked = method.people ? dialogue.session.unasked : dialogue.records;
  const before = unasked?.get(method.name) ?? 0;
  const reason = reasonToAsk(method, list, context.policy.mostPeople, before);
  if (reason !== undefined) {
    const refusal = await askFirst(context, ready, reason, dialogue);
    if (refusal) return refusal;
  }
  // Several small calls count like a large one.
  unasked?.set(method.name, reason === undefined ? before + concernedBy(method, list) : 0);
  const outcomes: (Reply | Failure)[] = [];
  let isOver = false;
  for (const { params, notes } of ready) {
    if (isOver) {
      outcomes.push(failure(`${method.name}: not sent, because a call of this set failed before it.`));
      continue;
    }
    const { outcome, isRefusal } = await send(context, method, params, dialogue, notes);
    outcomes.push(outcome);
    // The service may accept other calls after a refusal, but not after a failure of the network.
    isOver = outcome.kind === 'failure' && !isRefusal;
  }
  return outcomes;
}

/** Asks the person, or checks the answer. Returns `undefined` if the person agreed to exactly these calls. */
async function askFirst(
  { client, consents, where }: Context,
  ready: readonly Ready[],
  reason: string,
  dialogue: Dialogue,
): Promise<Question | Failure | undefined> {
  const [first] = ready;
  const last = ready.at(-1);
  if (!first || !last) return undefined;
  const { method } = first;
  const calls = ready.map(({ params }) => params);
  const { canAsk, question, answer, signal } = dialogue;
  const { refusals } = dialogue.session;
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
    const shown = await Promise.all(
      (first === last ? [first] : [first, last]).map(async ({ params, notes }) => ({
        ...{ params, notes },
        facts: await readBefore(client, method, params, signal),
      })),
    );
    for (const { facts, notes } of shown) {
      const refused = facts.find(({ refusal }) => refusal !== undefined);
      if (!refused) continue;
      const text = 'Not asked, because the service refuses it in its test mode. Nothing was sent.';
      return failure([text, ...notes, writeFailure(method, refused.refusal, 'service')].join('\n'));
    }
    const message = writeQuestion(method, reason, shown, calls.length, where);
    return { kind: 'question', id: consents.open(name, calls), message };
  }
  const invalid = consents.use(question, name, calls);
  if (invalid) return failure(`${name}: ${invalidTexts[invalid]} Nothing was sent. Call it again to ask again.`);
  if (!isYes(answer)) {
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
    return failure(`${name}: the person did not agree. Nothing was sent. Do not call it again unless they ask for it.`);
  }
  refusals.delete(name);
  return undefined;
}

/** After this many refusals in a row, the person is not asked about a method for the rest of the session. */
const mostRefusals = 2;

const invalidTexts = {
  unknown: 'the consent was used before, or never given.',
  expired: 'the consent expired.',
  other: 'the consent was for other parameters.',
} as const;

/** Lets the service check a call in its test mode. */
async function emulate(context: Context, { method, params, notes }: Ready, dialogue: Dialogue): Promise<Outcome> {
  if (!canEmulate(method))
    return failure(`The service cannot rehearse ${method.name}. Use rehearse: "sandbox". Nothing was sent.`);
  const rehearsed =
    "Rehearsal in the service's test mode (emulate): nothing was sent to people, and nothing was charged.";
  const { outcome } = await send(
    context,
    method,
    { ...params, emulate: true },
    dialogue,
    [rehearsed, ...notes],
    'service',
  );
  return outcome;
}

async function send(
  { client }: Context,
  method: Method,
  params: Params,
  { signal }: Dialogue,
  notes: readonly string[],
  rehearsal?: 'service',
): Promise<{ outcome: Reply | Failure; isRefusal: boolean }> {
  try {
    const reply = await callMethod(client, method.name, params, { signal });
    if (isDeeperThan(reply, mostReplyLevels)) {
      const text = `${method.name}: the service answered, and its reply is nested more than ${mostReplyLevels} levels deep, so it cannot be shown.`;
      return { outcome: failure(text), isRefusal: true };
    }
    const note = [...notes, ...noteFilters(method, params, reply)].join('\n');
    return { outcome: { kind: 'reply', method, reply, ...(note !== '' && { note }) }, isRefusal: false };
  } catch (error) {
    const text = writeFailure(method, error, rehearsal);
    const isRefusal = isCarillonError(error, 'ApiError') && error.status < 500;
    return { outcome: failure([...notes, text].join('\n')), isRefusal };
  }
}

const mostFailuresShown = 5;

/** Summarizes a set of calls: the number, the failures, and the replies in the order of the calls. */
function summarize(method: Method, outcomes: readonly (Reply | Failure)[]): Outcome {
  const replies = outcomes.map((outcome) => (outcome.kind === 'reply' ? (outcome.reply ?? null) : null));
  const failures = outcomes.flatMap((outcome, at) =>
    outcome.kind === 'failure' ? [`calls[${at}]: ${cutText(outcome.text, 500)}`] : [],
  );
  const more = failures.length - mostFailuresShown;
  const text = [
    `${method.name}: ${outcomes.length - failures.length} of ${outcomes.length} calls succeeded.`,
    ...failures.slice(0, mostFailuresShown),
    ...(more > 0 ? [`${more} more calls failed.`] : []),
  ].join('\n');
  if (failures.length === outcomes.length) return failure(text);
  if (replies.every((reply) => reply === null)) return { kind: 'text', text };
  return { kind: 'reply', method, reply: replies, note: text };
}

function failure(text: string): Failure {
  return { kind: 'failure', text };
}
