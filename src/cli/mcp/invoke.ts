import { setImmediate as turn } from 'node:timers/promises';
import { isCarillonError } from 'carillon';
import { hasMoreNames, isDeeperThan } from '../../shared/nesting.ts';
import { callMethod, type Effect, findMethod, type Method, type Params } from '../catalogue/index.ts';
import { concernedBy, effectOf } from '../catalogue/needs-consent.ts';
import { noteFilters } from '../catalogue/note-filters.ts';
import { RehearsalRejectedError } from '../catalogue/question.ts';
import { type ReadQuestion, runCalls } from '../catalogue/run-calls.ts';
import { cutText } from '../text/cut-text.ts';
import { CallSet, keptMilliseconds, type Made } from './call-set.ts';
import type { Consents } from './consent.ts';
import type { Context } from './context.ts';
import { unknownMethod } from './describe.ts';
import { writeEnd, writeFailure } from './failure.ts';
import type { ReadyCall, ToolFailure, ToolOutcome, ToolQuestion, ToolResponse } from './outcome.ts';
import { isPermitted } from './policy.ts';
import { isYes, writeQuestion } from './question.ts';
import { rehearse } from './rehearse.ts';
import type { View } from './result.ts';
import { createSession, type Session } from './session.ts';

/** The input of a call, or of a set of calls, from an agent. */
export interface Wanted extends View {
  readonly method: string;
  readonly params?: Params | undefined;
  /** The parameters of several calls, instead of `params`. */
  readonly calls?: readonly Params[] | undefined;
  readonly rehearse?: 'sandbox' | 'service' | undefined;
  /** The handle of an interrupted set, instead of its calls. */
  readonly set?: string | undefined;
}

/** The capabilities of the client, its session, and its answer to a question. */
export interface Dialogue {
  /** Whether the client can ask the person. */
  readonly canAsk: boolean;
  /** ID of the answered question. */
  readonly question?: string | undefined;
  /** Answer to the question. */
  readonly answer?: unknown;
  readonly signal: AbortSignal;
  readonly session: Session;
  /** Aborts at the time limit of the request, or if the request is cancelled. Absent if calls that change data have no time limit. */
  readonly until?: AbortSignal | undefined;
  /** Receives the progress of a set. */
  progress?(done: number, total: number, message: string): void;
}

/**
 * Maximum number of properties in an object in the parameters, and of selected fields. Limited because all names are compared
 * with each other.
 */
export const maxNames = 200;
/** Maximum depth of parameters, which is deeper than any documented parameter. */
const maxLevels = 32;
/** Maximum depth of a response, which is deeper than any documented response. */
const maxResponseLevels = 100;

/**
 * Makes a call, or a set of calls to one method, if the policy and the person permit it.
 *
 * @param effects - effects that the tool permits
 */
export async function invoke(
  context: Context,
  wanted: Wanted,
  effects: readonly Effect[],
  dialogue: Dialogue,
): Promise<ToolOutcome> {
  const { params, calls, rehearse: where } = wanted;
  if (wanted.set !== undefined) return resume(context, wanted, wanted.set, effects, dialogue);
  if (calls && (params || where || calls.length === 0))
    return failure(
      'The parameter `calls` contains the params of each call. It cannot be combined with params or rehearse. Nothing was sent.',
    );
  if ((wanted.fields?.length ?? 0) > maxNames) return failure(`Select at most ${maxNames} fields. Nothing was sent.`);
  const method = findMethod(wanted.method);
  if (!method) return failure(unknownMethod(wanted.method));
  const list = calls ?? [params ?? {}];
  const endAt = (text: string, at: number): ToolFailure => failure(calls ? `calls[${at}]: ${text}` : text);
  for (const [at, each] of list.entries()) {
    const reason = reasonAgainst(context, method, each, effects);
    if (reason !== undefined) return endAt(`${reason} Nothing was sent.`, at);
    // Calls by other agents continue between the checks.
    if (calls) await turn();
  }
  const { session } = dialogue;
  const isHarmless = where !== undefined || method.effect === 'read';
  const same = list.map((each) => ({ params: each }));
  const kept = dialogue.until && !isHarmless && context.sets.takeSame(method.name, same, session);
  if (kept === 'needs handle') return failure(writeNeedsHandle(method.name));
  if (kept) return finish(method, await proceed(context, kept, dialogue), calls !== undefined);
  const unasked = method.people ? session.unasked : undefined;
  const before = (): number => unasked?.get(method.name) ?? 0;
  return runCalls<readonly ReadyCall[], ToolOutcome>(method, list, {
    limits: () => ({ most: context.policy.maxPeople, before: before() }),
    signal: dialogue.signal,
    endInvalid: (problems, at) =>
      endAt(`${problems.join(' ')} Nothing was sent. Describe ${method.name}, and fix the parameters.`, at),
    connect: (checked) => checked.map(({ params, notes }): ReadyCall => ({ method, params, notes })),
    async consent(ready, reason, readQuestion) {
      if (where) return undefined;
      if (reason === undefined) {
        // Several small calls count like one large call.
        unasked?.set(method.name, before() + concernedBy(method, list));
        return undefined;
      }
      const end = await askFirst(context, method, list, reason, readQuestion, dialogue).catch((error: unknown) => {
        if (!(error instanceof RehearsalRejectedError)) throw error;
        const notes = ready.flatMap((each) => each.notes);
        return failure([error.message, ...notes, writeFailure(method, error.rejection, 'service')].join('\n'));
      });
      if (!end) unasked?.set(method.name, 0);
      return end;
    },
    async send(ready) {
      const [first] = ready;
      if (where && first) return rehearseAt(where, context, first, dialogue);
      const set = new CallSet(method, ready, (each, signal) => send(context, each, signal));
      return finish(method, await proceed(context, set, dialogue), calls !== undefined);
    },
  });
}

/** Returns the outcome of one call, or of a set. */
function finish(method: Method, outcomes: (ToolResponse | ToolFailure)[] | ToolFailure, isSet: boolean): ToolOutcome {
  if (!Array.isArray(outcomes)) return outcomes;
  return isSet ? summarize(method, outcomes) : (outcomes[0] ?? failure('The call was cancelled.'));
}

/** Returns why a call is not permitted. Its parameters are checked later. */
function reasonAgainst(
  { policy }: Context,
  method: Method,
  params: Params,
  effects: readonly Effect[],
): string | undefined {
  const { name, effect } = method;
  // Check this first, because the tool of a forbidden method may not exist.
  if (!isPermitted(policy, method))
    return `This server does not permit ${name}. The person who started the server decides which methods it permits.`;
  if (!effects.includes(effect) && !effects.includes(effectOf(method, params)))
    return `Call ${name} with the tool "${effect}".`;
  if (isDeeperThan(params, maxLevels)) return `${name}: the parameters are nested more than ${maxLevels} levels deep.`;
  if (hasMoreNames(params, maxNames))
    return `${name}: the parameters contain an object with more than ${maxNames} properties.`;
  return undefined;
}

/** Continues a set until the set is complete, or until the request must end. */
async function proceed(
  { sets }: Context,
  set: CallSet,
  dialogue: Dialogue,
): Promise<(ToolResponse | ToolFailure)[] | ToolFailure> {
  const { session, signal } = dialogue;
  const total = set.ready.length;
  const isRead = set.method.effect === 'read';
  const until = isRead ? signal : (dialogue.until ?? signal);
  const onCall = ({ outcomes, handle, method }: CallSet): void =>
    dialogue.progress?.(outcomes.length, total, `${method.name}: ${outcomes.length} of ${total} calls (set ${handle})`);
  await set.proceed({ until, onCall }, signal);
  if (isRead || (set.isComplete && !signal.aborted)) return set.outcomes;
  sets.keep(set, session);
  return failure(describeCut(set, session.isShared));
}

/** Resumes an interrupted set by its handle. */
async function resume(
  context: Context,
  { method, params, calls, rehearse }: Wanted,
  handle: string,
  effects: readonly Effect[],
  dialogue: Dialogue,
): Promise<ToolOutcome> {
  if (params || calls || rehearse)
    return failure(
      'The parameter `set` resumes an interrupted set of calls. It cannot be combined with params, calls or rehearse.',
    );
  const set = context.sets.take(handle, method);
  if (!set)
    return failure(
      `${cutText(method, 80)}: no interrupted set has this handle. The set has ended or is too old. Before you repeat its calls, check which of them were processed.`,
    );
  const fits = ({ method, params }: ReadyCall): boolean =>
    effects.includes(method.effect) || effects.includes(effectOf(method, params));
  if (!set.ready.every(fits)) {
    context.sets.keep(set, dialogue.session);
    return failure(`Call ${set.method.name} with the tool "${set.method.effect}". Nothing was sent.`);
  }
  const outcomes = await proceed(context, set, dialogue);
  return finish(set.method, outcomes, true);
}

/** Describes which calls were made before the request had to end, and how to resume the set. */
function describeCut({ method, ready, outcomes, handle, isInFlight }: CallSet, needsHandle: boolean): string {
  const succeeded = outcomes.filter(({ kind }) => kind === 'response').length;
  const left = ready.length - outcomes.length - (isInFlight ? 1 : 0);
  const facts = [
    `${outcomes.length} of ${ready.length} calls were made: ${succeeded} succeeded, ${outcomes.length - succeeded} failed`,
    isInFlight && `calls[${outcomes.length}] was sent but has no response yet, so it may have been processed`,
    left > 0 && `calls that were not sent: ${left}`,
  ];
  const again = needsHandle ? '' : ' or the same calls';
  return `${method.name}: stopped, because the request reached its time limit. ${facts.filter(Boolean).join('; ')}.\nnext: Call ${method.name} again with set: "${handle}"${again}. The remaining calls continue from where they stopped. The person is not asked again, and no call is made twice.`;
}

/** Explains why the calls of a repeated set are not made again. The text reveals nothing about the calls to another agent. */
function writeNeedsHandle(name: string): string {
  return `${name}: these calls were interrupted earlier, and some of them may have been processed. Nothing was sent this time.\nnext: Resume with the handle (\`set\`) from the earlier response or progress message. If you do not have the handle, check what was processed and send only the rest. The same calls are accepted again after ${keptMilliseconds / 60_000} minutes.`;
}

/** Asks the person, or checks the answer. Returns `undefined` if the person agreed to exactly these calls. */
async function askFirst(
  context: Context,
  method: Method,
  calls: readonly Params[],
  reason: string,
  readQuestion: ReadQuestion,
  dialogue: Dialogue,
): Promise<ToolQuestion | ToolFailure | undefined> {
  const { consents } = context;
  const { canAsk, question, answer, signal } = dialogue;
  // Without a session, each question is separate.
  const { declines, queue } = dialogue.session.isShared ? createSession() : dialogue.session;
  const { name } = method;
  if (!canAsk)
    return failure(
      `${name} needs the person's consent, but this client cannot ask for consent (it does not support elicitation). Nothing was sent. No parameter can stand in for consent. Tell the person to use a client that can ask, or to make the call themselves.`,
    );
  const isDeclinedForGood = (): boolean => (declines.get(name) ?? 0) >= maxDeclined;
  if (question === undefined) {
    if (answer !== undefined) return failure(`${name}: this answer does not belong to a question. Nothing was sent.`);
    if (isDeclinedForGood()) return failure(declinedForGood(name));
    if (hasTooManyOpen(consents, name, dialogue.session)) return failure(tooManyOpen(name));
    if (!(await queue.enter(dialogue.until ?? signal)))
      return failure(
        `${name}: the person did not decide in time, because another question was open. Nothing was done. Put several calls into \`calls\`, so that the person is asked once, or repeat the call later.`,
      );
    let asked: ToolQuestion | ToolFailure | undefined;
    try {
      // The person may have declined the previous question.
      asked = isDeclinedForGood()
        ? failure(declinedForGood(name))
        : await ask(context, method, calls, reason, readQuestion, dialogue.session);
      return asked;
    } finally {
      if (asked?.kind === 'question') queue.asked(asked.id);
      else queue.leave();
    }
  }
  const invalid = consents.use(question, name, calls);
  context.lists.remove(question);
  const isAgreed = !invalid && isYes(answer);
  if (!invalid && !isAgreed) declines.set(name, (declines.get(name) ?? 0) + 1);
  queue.decided(question);
  if (invalid)
    return failure(`${name}: ${invalidTexts[invalid]} Nothing was sent. Repeat the call to ask the person again.`);
  if (!isAgreed) return failure(declined(name));
  declines.delete(name);
  return undefined;
}

/** Creates the question about calls. */
async function ask(
  { client, consents, lists, where }: Context,
  method: Method,
  calls: readonly Params[],
  reason: string,
  readQuestion: ReadQuestion,
  session: Session,
): Promise<ToolQuestion | ToolFailure> {
  const asked = await readQuestion(client, reason);
  // If calls arrive together, each of them is read before the first call asks.
  if (hasTooManyOpen(consents, method.name, session)) return failure(tooManyOpen(method.name));
  const id = consents.open(method.name, calls, session.queue);
  const whole =
    asked.count > 1 ? [`The whole list: ${lists.write(id, calls) ?? 'in the parameters of the calls'}`] : [];
  const differences = [...(asked.differences ?? []), ...whole];
  return { kind: 'question', id, message: writeQuestion({ ...asked, differences }, where) };
}

/** Questions without a session do not wait for each other, so their number is limited. */
function hasTooManyOpen(consents: Consents, name: string, { isShared, queue }: Session): boolean {
  return isShared && consents.count(name, queue) >= maxOpenShared;
}

function tooManyOpen(name: string): string {
  return `${name}: the person was not asked, because ${maxOpenShared} questions about this method have no answer yet. Nothing was sent. Put several calls into \`calls\`, so that the person is asked once, or repeat the call later.`;
}

function declined(name: string): string {
  return `${name}: the person declined. Nothing was sent. Do not call it again unless they ask for it.`;
}

function declinedForGood(name: string): string {
  return `${name}: the person declined ${maxDeclined} times and is not asked again. Nothing was sent. Continue without this method.`;
}

/** Maximum number of open questions about a method without a session. */
const maxOpenShared = 5;

/** Number of consecutive declined questions after which the person is not asked about a method for the rest of the session. */
const maxDeclined = 2;

const invalidTexts = {
  unknown: 'the consent has already been used, or was never given.',
  expired: 'the consent expired.',
  other: 'the consent was for other parameters.',
} as const;

/** Rehearses a call in a sandbox, or in the test mode of the service. */
async function rehearseAt(
  where: 'sandbox' | 'service',
  context: Context,
  { method, params, notes }: ReadyCall,
  dialogue: Dialogue,
): Promise<ToolOutcome> {
  const { testMode } = method;
  if (where === 'sandbox') return { kind: 'text', text: await rehearse(method, params, context.sandbox) };
  if (testMode === undefined)
    return failure(`The service cannot rehearse ${method.name}. Use rehearse: "sandbox". Nothing was sent.`);
  const rehearsed = `Rehearsal in the service's test mode (${testMode}): nothing was sent to people, and nothing was charged.`;
  const rehearsal = { method, params: { ...params, [testMode]: true }, notes: [rehearsed, ...notes] };
  return (await send(context, rehearsal, dialogue.signal, 'service')).outcome;
}

async function send(
  { client }: Context,
  { method, params, notes }: ReadyCall,
  signal: AbortSignal,
  rehearsal?: 'service',
): Promise<Made> {
  let call: ReturnType<typeof callMethod> | undefined;
  try {
    call = callMethod(client, method.name, params, { signal });
    const response = await call;
    if (isDeeperThan(response, maxResponseLevels)) {
      const text = `${method.name}: the service responded, but the response cannot be shown, because it is nested more than ${maxResponseLevels} levels deep.`;
      return { outcome: failure(text), isOver: false };
    }
    const note = [...notes, ...noteFilters(method, params, response)].join('\n');
    return { outcome: { kind: 'response', method, response, ...(note !== '' && { note }) }, isOver: false };
  } catch (error) {
    const text = signal.aborted
      ? writeEnd(method, 'was cancelled', call?.sent ?? 'no')
      : writeFailure(method, error, rehearsal);
    // After the service has rejected one call, it may accept others. After a network failure, the other calls would also fail.
    const isRejected = isCarillonError(error, 'ApiError') && error.status < 500;
    return { outcome: failure([...notes, text].join('\n')), isOver: !isRejected };
  }
}

const maxFailuresShown = 5;

/** Summarizes a set of calls: the number, the failures, and the responses in the order of the calls. */
function summarize(method: Method, outcomes: readonly (ToolResponse | ToolFailure)[]): ToolOutcome {
  const responses = outcomes.map((outcome) => (outcome.kind === 'response' ? (outcome.response ?? null) : null));
  const failures = outcomes.flatMap((outcome, at) => (outcome.kind === 'failure' ? [{ at, text: outcome.text }] : []));
  const groups = groupFailures(failures);
  const more = groups.slice(maxFailuresShown).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const text = [
    `${method.name}: ${outcomes.length - failures.length} of ${outcomes.length} calls succeeded.`,
    ...groups
      .slice(0, maxFailuresShown)
      .map(
        ({ first, last, text }) => `calls[${first}]${last > first ? ` to calls[${last}]` : ''}: ${cutText(text, 500)}`,
      ),
    ...(more > 0 ? [`${more} more calls failed.`] : []),
  ].join('\n');
  if (failures.length === outcomes.length) return failure(text);
  if (responses.every((response) => response === null)) return { kind: 'text', text };
  return { kind: 'response', method, response: responses, note: text };
}

/** Joins consecutive failures with the same text, such as those of calls that were not sent. */
function groupFailures(failures: readonly { at: number; text: string }[]) {
  const groups: { first: number; last: number; text: string }[] = [];
  for (const { at, text } of failures) {
    const before = groups.at(-1);
    if (before?.text === text && before.last === at - 1) before.last = at;
    else groups.push({ first: at, last: at, text });
  }
  return groups;
}

function failure(text: string): ToolFailure {
  return { kind: 'failure', text };
}
