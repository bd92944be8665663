import { setImmediate as turn } from 'node:timers/promises';
import { isCarillonError } from 'carillon';
import { hasMoreNames, isDeeperThan } from '../../shared/nesting.ts';
import { readBefore } from '../catalogue/before-call.ts';
import { checkValues } from '../catalogue/check-values.ts';
import { Differences } from '../catalogue/differences.ts';
import { callMethod, checkParams, type Effect, findMethod, type Method, type Params } from '../catalogue/index.ts';
import { concernedBy, effectOf, reasonToAsk } from '../catalogue/needs-consent.ts';
import { noteFilters } from '../catalogue/note-filters.ts';
import { cutText } from '../text/cut-text.ts';
import { CallSet, keptMilliseconds } from './call-set.ts';
import type { Context } from './context.ts';
import { unknownMethod } from './describe.ts';
import type { Waiting } from './desk.ts';
import { writeFailure } from './failure.ts';
import type { Failure, Outcome, Question, Ready, Reply } from './outcome.ts';
import { isPermitted } from './policy.ts';
import { isYes, writeQuestion } from './question.ts';
import { rehearse } from './rehearse.ts';
import type { View } from './result.ts';
import { createSession, type Session } from './session.ts';

/** Calls that an agent asks for. */
export interface Wanted extends View {
  readonly method: string;
  readonly params?: Params | undefined;
  /** The parameters of several calls, in place of `params`. */
  readonly calls?: readonly Params[] | undefined;
  readonly rehearse?: 'sandbox' | 'service' | undefined;
  /** The handle of a set that was cut off, in place of its calls. */
  readonly set?: string | undefined;
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
  /** Ends waiting, at the time limit of the request or if it is cancelled. Absent if changing calls have no limit. */
  readonly until?: AbortSignal | undefined;
  /** Receives the progress of a set. */
  progress?(done: number, total: number, message: string): void;
}

/** Maximum number of names of an object in parameters, and of selected fields. Names are compared with each other. */
export const maxNames = 200;
/** Deeper than any parameter of the documents. */
const maxLevels = 32;
/** Deeper than any reply of the documents. */
const maxReplyLevels = 100;

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
  if (wanted.set !== undefined) return resume(context, wanted, wanted.set, effects, dialogue);
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
  if (where === 'service') return rehearseAtService(context, first, dialogue);
  const outcomes = await makeCalls(context, ready, dialogue);
  if (!Array.isArray(outcomes)) return outcomes;
  return calls ? summarize(first.method, outcomes) : (outcomes[0] ?? failure('The call was cancelled.'));
}

/** Checks a call without making it. */
function prepare({ policy }: Context, wanted: string, params: Params, effects: readonly Effect[]): Ready | Failure {
  const method = findMethod(wanted);
  if (!method) return failure(unknownMethod(wanted));
  const { name, effect } = method;
  // Check this first, because the tool of a forbidden method may not exist.
  if (!isPermitted(policy, method))
    return failure(`This server does not permit ${name}. The person who started it decides that. Nothing was sent.`);
  if (!effects.includes(effect) && !effects.includes(effectOf(method, params)))
    return failure(`${name} belongs to the tool ${effect}. Nothing was sent.`);
  if (isDeeperThan(params, maxLevels))
    return failure(`${name}: the parameters are nested more than ${maxLevels} levels deep. Nothing was sent.`);
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
async function makeCalls(
  context: Context,
  ready: readonly Ready[],
  dialogue: Dialogue,
): Promise<(Reply | Failure)[] | Question | Failure> {
  const [first] = ready;
  if (!first) return [];
  const { method } = first;
  const list = ready.map(({ params }) => params);
  const kept =
    dialogue.until && method.effect !== 'read'
      ? context.sets.takeSame(method.name, ready, dialogue.session)
      : undefined;
  if (kept === 'needs handle') return failure(writeNeedsHandle(method.name));
  if (kept) return proceed(context, kept, dialogue);
  const unasked = method.people ? dialogue.session.unasked : undefined;
  const before = unasked?.get(method.name) ?? 0;
  const reason = reasonToAsk(method, list, context.policy.maxPeople, before);
  if (reason !== undefined) {
    const refusal = await askFirst(context, ready, reason, dialogue);
    if (refusal) return refusal;
  }
  // Several small calls count like a large one.
  unasked?.set(method.name, reason === undefined ? before + concernedBy(method, list) : 0);
  const { until } = dialogue;
  // A call of a set with a time limit goes on after it, so that its outcome is known to the call that goes on.
  const signal = until && method.effect !== 'read' ? undefined : dialogue.signal;
  return proceed(context, new CallSet(method, ready, (each) => makeCall(context, each, signal)), dialogue);
}

async function makeCall(context: Context, { method, params, notes }: Ready, signal: AbortSignal | undefined) {
  const { outcome, isRefusal } = await send(context, method, params, signal, notes);
  // The service may accept other calls after a refusal, but not after a failure of the network.
  return { outcome, isOver: outcome.kind === 'failure' && !isRefusal };
}

/** Goes on with a set until it is complete, or until the request has to end. */
async function proceed({ sets }: Context, set: CallSet, dialogue: Dialogue): Promise<(Reply | Failure)[] | Failure> {
  const { session, signal } = dialogue;
  const total = set.ready.length;
  const until = set.method.effect === 'read' ? undefined : dialogue.until;
  await set.proceed(until, ({ outcomes, handle, method }) =>
    dialogue.progress?.(outcomes.length, total, `${method.name}: ${outcomes.length} of ${total} calls (set ${handle})`),
  );
  if (set.isComplete && !(until && signal.aborted)) return set.outcomes;
  sets.keep(set, session);
  return failure(describeCut(set, session.isShared));
}

/** Goes on with a set that was cut off, by its handle. */
async function resume(
  context: Context,
  { method, params, calls, rehearse }: Wanted,
  handle: string,
  effects: readonly Effect[],
  dialogue: Dialogue,
): Promise<Outcome> {
  if (params || calls || rehearse)
    return failure('set goes on with the calls of a set, and cannot be combined with params, calls or rehearse.');
  const set = context.sets.take(handle, method);
  if (!set)
    return failure(`${cutText(method, 80)}: no such set waits. It ended, or it is too old. Look before you repeat it.`);
  const fits = ({ method, params }: Ready): boolean =>
    effects.includes(method.effect) || effects.includes(effectOf(method, params));
  if (!set.ready.every(fits)) {
    context.sets.keep(set, dialogue.session);
    return failure(`${set.method.name} belongs to the tool ${set.method.effect}. Nothing was sent.`);
  }
  const outcomes = await proceed(context, set, dialogue);
  return Array.isArray(outcomes) ? summarize(set.method, outcomes) : outcomes;
}

/** Says what was done before the request had to end, and how to go on. */
function describeCut({ method, ready, outcomes, handle, isInFlight }: CallSet, needsHandle: boolean): string {
  const succeeded = outcomes.filter(({ kind }) => kind === 'reply').length;
  const left = ready.length - outcomes.length - (isInFlight ? 1 : 0);
  const facts = [
    `${outcomes.length} of ${ready.length} calls were made: ${succeeded} succeeded, ${outcomes.length - succeeded} failed`,
    isInFlight && `calls[${outcomes.length}] was sent, and has no reply yet: it may have been processed`,
    left > 0 && `the other ${left} were not sent`,
  ];
  const again = needsHandle ? '' : ' or the same calls';
  return `${method.name}: cut off at the time limit of a request. ${facts.filter(Boolean).join('; ')}.\nnext: Call it again with set: "${handle}"${again}, without a new question: it goes on where it stopped, and makes no call twice.`;
}

/** Neither tells another agent of the calls, nor makes them twice. */
function writeNeedsHandle(name: string): string {
  return `${name}: these calls were cut off before, and some may have been made. Nothing was sent.\nnext: Go on with their handle: the reply and the progress had it (set). Without it, look at what was done, and send only the rest; the same calls are possible again after ${keptMilliseconds / 60_000} minutes.`;
}

/** Asks the person, or checks the answer. Returns `undefined` if the person agreed to exactly these calls. */
async function askFirst(
  context: Context,
  ready: readonly Ready[],
  reason: string,
  dialogue: Dialogue,
): Promise<Question | Failure | undefined> {
  const [first] = ready;
  if (!first) return undefined;
  const { method } = first;
  const calls = ready.map(({ params }) => params);
  const { consents } = context;
  const { canAsk, question, answer, signal } = dialogue;
  // Without a session, each question stands alone.
  const { refusals, desk } = dialogue.session.isShared ? createSession() : dialogue.session;
  const { name } = method;
  if (!canAsk)
    return failure(
      `${name} needs the person's consent, and this client cannot ask for it (it has no elicitation). Nothing was sent. No parameter replaces the consent. Tell the person: a client that can ask is needed for this, or they make the call themselves.`,
    );
  const isRefusedForGood = (): boolean => (refusals.get(name) ?? 0) >= maxRefusals;
  if (question === undefined) {
    if (answer !== undefined) return failure(`${name}: an answer without a question. Nothing was sent.`);
    if (isRefusedForGood()) return failure(refusedForGood(name));
    if (hasTooManyOpen(context, name, dialogue.session)) return failure(tooManyOpen(name));
    const turn = await desk.enter(name, calls, dialogue.until ?? signal);
    if (turn.kind === 'agreed') return undefined;
    if (turn.kind === 'refused') return failure(isRefusedForGood() ? refusedForGood(name) : refused(name));
    if (turn.kind !== 'ask')
      return failure(`${name}: not decided in time, nothing was done. Another question was open. Call it again later.`);
    const { others } = turn;
    const asked = await ask(context, ready, reason, dialogue, others).catch((error: unknown) => {
      for (const other of others) other.settle({ kind: 'undecided' });
      desk.leave();
      throw error;
    });
    if (asked.kind === 'question') desk.asked(asked.id, others);
    else {
      for (const other of others) other.settle({ kind: 'refused' });
      desk.leave();
    }
    return asked;
  }
  const invalid = consents.use(question, name, calls);
  context.lists.remove(question);
  const isAgreed = !invalid && isYes(answer);
  if (!invalid && !isAgreed) refusals.set(name, (refusals.get(name) ?? 0) + 1);
  desk.decided(question, isAgreed ? 'agreed' : invalid ? 'undecided' : 'refused');
  if (invalid) return failure(`${name}: ${invalidTexts[invalid]} Nothing was sent. Call it again to ask again.`);
  if (!isAgreed) return failure(refused(name));
  refusals.delete(name);
  return undefined;
}

/** Writes the question about calls, and about those of others that wait. */
async function ask(
  context: Context,
  ready: readonly Ready[],
  reason: string,
  { session, signal }: Dialogue,
  others: readonly Waiting[],
): Promise<Question | Failure> {
  const { client, consents, lists, where, policy } = context;
  const [first] = ready;
  const last = ready.at(-1);
  if (!first || !last) return failure('calls is empty. Nothing was sent.');
  const { method } = first;
  // The person may have refused the question before this one.
  if ((session.refusals.get(method.name) ?? 0) >= maxRefusals) return failure(refusedForGood(method.name));
  const own = ready.map(({ params }) => params);
  const calls = [...own, ...others.flatMap((other) => other.calls)];
  const lastParams = calls.at(-1) ?? last.params;
  const shown = await Promise.all(
    (calls.length === 1 ? [first] : [first, { params: lastParams, notes: [] }]).map(async ({ params, notes }) => ({
      ...{ params, notes },
      facts: await readBefore(client, method, params, signal),
    })),
  );
  for (const { facts, notes } of shown) {
    const refusal = facts.find((fact) => fact.refusal !== undefined);
    if (!refusal) continue;
    const text = 'Not asked, because the service refuses it in its test mode. Nothing was sent.';
    return failure([text, ...notes, writeFailure(method, refusal.refusal, 'service')].join('\n'));
  }
  const why = others.length > 0 ? (reasonToAsk(method, calls, policy.maxPeople) ?? reason) : reason;
  const differences = new Differences(method);
  for (const call of calls) differences.add(call);
  // Calls that came together were all read before the first of them asked.
  if (hasTooManyOpen(context, method.name, session)) return failure(tooManyOpen(method.name));
  const id = consents.open(method.name, own, session.desk);
  const whole =
    calls.length > 1 ? [`The whole list: ${lists.write(id, calls) ?? 'in the parameters of the calls'}`] : [];
  const message = writeQuestion(method, why, shown, calls.length, where, [...differences.lines(), ...whole]);
  return { kind: 'question', id, message };
}

/** Questions without a session do not wait for each other, so their number has a limit. */
function hasTooManyOpen({ consents }: Context, name: string, { isShared, desk }: Session): boolean {
  return isShared && consents.count(name, desk) >= maxOpenShared;
}

function tooManyOpen(name: string): string {
  return `${name}: not asked, because ${maxOpenShared} questions about it are open. Nothing was sent. Put several calls into calls: the person is asked once. Or call it again later.`;
}

function refused(name: string): string {
  return `${name}: the person did not agree. Nothing was sent. Do not call it again unless they ask for it.`;
}

function refusedForGood(name: string): string {
  return `${name}: the person refused it ${maxRefusals} times, so they are not asked again. Nothing was sent. Go on without it.`;
}

/** Maximum number of open questions about a method without a session. */
const maxOpenShared = 5;

/** After this many refusals in a row, the person is not asked about a method for the rest of the session. */
const maxRefusals = 2;

const invalidTexts = {
  unknown: 'the consent was used before, or never given.',
  expired: 'the consent expired.',
  other: 'the consent was for other parameters.',
} as const;

/** Lets the service check a call in its test mode. */
async function rehearseAtService(
  context: Context,
  { method, params, notes }: Ready,
  dialogue: Dialogue,
): Promise<Outcome> {
  const { testMode } = method;
  if (testMode === undefined)
    return failure(`The service cannot rehearse ${method.name}. Use rehearse: "sandbox". Nothing was sent.`);
  const rehearsed = `Rehearsal in the service's test mode (${testMode}): nothing was sent to people, and nothing was charged.`;
  const { outcome } = await send(
    context,
    method,
    { ...params, [testMode]: true },
    dialogue.signal,
    [rehearsed, ...notes],
    'service',
  );
  return outcome;
}

async function send(
  { client }: Context,
  method: Method,
  params: Params,
  signal: AbortSignal | undefined,
  notes: readonly string[],
  rehearsal?: 'service',
): Promise<{ outcome: Reply | Failure; isRefusal: boolean }> {
  try {
    const reply = await callMethod(client, method.name, params, signal && { signal });
    if (isDeeperThan(reply, maxReplyLevels)) {
      const text = `${method.name}: the service answered, and its reply is nested more than ${maxReplyLevels} levels deep, so it cannot be shown.`;
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

const maxFailuresShown = 5;

/** Summarizes a set of calls: the number, the failures, and the replies in the order of the calls. */
function summarize(method: Method, outcomes: readonly (Reply | Failure)[]): Outcome {
  const replies = outcomes.map((outcome) => (outcome.kind === 'reply' ? (outcome.reply ?? null) : null));
  const failures = outcomes.flatMap((outcome, at) =>
    outcome.kind === 'failure' ? [`calls[${at}]: ${cutText(outcome.text, 500)}`] : [],
  );
  const more = failures.length - maxFailuresShown;
  const text = [
    `${method.name}: ${outcomes.length - failures.length} of ${outcomes.length} calls succeeded.`,
    ...failures.slice(0, maxFailuresShown),
    ...(more > 0 ? [`${more} more calls failed.`] : []),
  ].join('\n');
  if (failures.length === outcomes.length) return failure(text);
  if (replies.every((reply) => reply === null)) return { kind: 'text', text };
  return { kind: 'reply', method, reply: replies, note: text };
}

function failure(text: string): Failure {
  return { kind: 'failure', text };
}
