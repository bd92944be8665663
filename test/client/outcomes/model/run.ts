import { getEventListeners } from 'node:events';
import { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { vi } from 'vitest';
import { tokenOperation } from '../../../../generated/crm/operations.ts';
import { type Client, createClient } from '../../../../src/client/index.ts';
import { refusedUrl } from '../../../support/ports.ts';
import { fetchInContexts, refusal } from './contexts.ts';
import type { Plan, PlannedCall } from './plan.ts';
import type { PlannedResponse, Service } from './service.ts';
import { SpreadingTokens } from './spreading-tokens.ts';
import { countTimers } from './timers.ts';

/** The real `setImmediate`, even with fake timers. */
const nextTurn = setImmediate;
let things = 0;

/** A call that the client reports as certainly not processed. */
export interface Denial {
  thing: string;
  what: string;
}

/** Runs a plan and returns the client's false reports. */
export async function runPlan(plan: Plan, url: string, service: Service, denials: Denial[]): Promise<string[]> {
  if (plan.connection !== 'refusing platform') return runCalls(plan, url, service, denials);
  const before = getGlobalDispatcher();
  const dispatcher = refusingDispatcher(plan);
  setGlobalDispatcher(dispatcher);
  try {
    return await runCalls(plan, url, service, denials);
  } finally {
    setGlobalDispatcher(before);
    await dispatcher.destroy();
  }
}

/** A dispatcher that refuses connections as planned. */
function refusingDispatcher(plan: Plan): Agent {
  const refused = [...plan.refused];
  const connect = buildConnector({});
  return new Agent({
    connect: (options, callback) =>
      refused.shift() === 'before' ? callback(refusal(), null) : connect(options, callback),
  });
}

async function runCalls(plan: Plan, url: string, service: Service, denials: Denial[]): Promise<string[]> {
  const problems: string[] = [];
  const controller = new AbortController();
  const abortReason = new Error('stop');
  const tokens = plan.spread && new SpreadingTokens(plan.spread);
  service.tokens = tokens;
  const api = createApi(plan, url);
  // Derived clients share the token.
  const clients = [api, api.withOptions({})];
  const call = (planned: PlannedCall & { thing: string }, signal: AbortSignal | undefined) => {
    return start(clients[Number(planned.thing) % clients.length] ?? api, planned, signal);
  };
  const calls = plan.calls.map((call) => {
    things += 1;
    const thing = String(things);
    service.plan(thing, plan.isAssumptionTrue ? call.responses : call.responses.map(processed));
    return { ...call, thing };
  });
  const until = service.received + (plan.abortAt ?? Number.POSITIVE_INFINITY);
  service.onReceived = () => void (service.received >= until && controller.abort(abortReason));

  const single = async (planned: PlannedCall & { thing: string }): Promise<void> => {
    const made = call(planned, controller.signal);
    try {
      const payload = await made;
      if (planned.kind !== 'DELETE' && typeof payload !== 'object') problems.push('a success without its payload');
      if (payload === null) problems.push('null is a success');
      // A call that reads need not be processed, but one that changes data must be.
      if (planned.kind !== 'GET' && service.countOf(planned.thing) === 0) problems.push('done, and not processed');
    } catch (error) {
      if (error === abortReason && 'sent' in abortReason) problems.push('written onto the reason of an abort');
      deny(denials, planned, error === abortReason ? made.sent : sentOf(error, made.sent));
      if (isOurs(error) && !namesCall(error)) problems.push(`an error that names no call: ${String(error)}`);
    }
  };

  const all =
    plan.mode === 'together'
      ? Promise.all(calls.map(single))
      : calls.reduce((before, call) => before.then(() => single(call)), Promise.resolve());
  if (!(await settles(all, service))) problems.push('a call hangs');
  // Requests for tokens outlive an aborted call. A last call waits for them, so that none reaches the service of the next plan.
  if (plan.spread && !(await settles(Promise.allSettled([api.crm.deals.get({ dealId: 0 })]), service)))
    problems.push('a token request hangs');
  // Let late background requests arrive.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => nextTurn(resolve));
  for (const { kind, thing } of calls) {
    if (kind === 'POST' && service.countOf(thing) > 1) problems.push('a POST was processed twice');
  }
  const creations = calls.filter(({ kind }) => kind === 'POST').map(({ thing }) => thing);
  // The clock jumps while the service stalls, and can end an attempt whose answer is under way.
  const isLost = plan.refused.includes('after') || plan.wrapped.some(({ auditAfter }) => auditAfter);
  const isSeen = !isLost && !plan.calls.some(stalls);
  problems.push(...(tokens?.judge({ creations, replayCreates: plan.isAssumptionTrue, isSeen }) ?? []));
  if (countTimers() > 0) problems.push('a timer is left');
  if (getEventListeners(controller.signal, 'abort').length > 0) problems.push('a listener is left');
  return problems;
}

function stalls({ responses }: PlannedCall): boolean {
  return responses.some(({ how }) => how === 'stall' || how === 'stallInBody');
}

/** A response that processes the request even with 401 or 429. */
function processed(planned: PlannedResponse): PlannedResponse {
  return planned.how === 401 || planned.how === 429 ? { ...planned, process: true } : planned;
}

function createApi(plan: Plan, url: string): Client {
  const refused = [...plan.refused];
  const tokens = [...plan.tokens];
  const hooks = [...plan.hooks];
  const taking = (): void => {
    if (hooks.shift() === 'throws') throw new Error('from a hook');
  };
  const observing = (): Promise<void> | undefined => {
    const behaviour = hooks.shift();
    if (behaviour === 'throws') throw new Error('from a hook');
    return behaviour === 'never ends' ? new Promise(() => undefined) : undefined;
  };
  const log = (): void => {
    if (plan.loggerThrows) throw new Error('from the logger');
  };
  const custom = async (input: string, init: RequestInit): Promise<Response> => {
    // The rules of token requests are about those that are answered.
    if (new URL(input).pathname === tokenOperation.path) return fetch(input, init);
    const connection = refused.shift() ?? 'no';
    const failure = new TypeError('fetch failed', { cause: refusal() });
    const isReal = plan.connection === 'wrapper';
    if (connection === 'before') return isReal ? fetch(refusedUrl, init) : Promise.reject(failure);
    const response = await fetch(input, init);
    if (connection === 'after' && isReal) return fetch(refusedUrl, init);
    // The second of two hops.
    if (connection === 'after' && plan.connection === 'two hops') throw failure;
    return response;
  };
  return createClient({
    baseUrl: url,
    auth: plan.spread
      ? { clientId: 'id', clientSecret: 'secret' }
      : {
          getToken: ({ forceRefresh }) => {
            if (tokens.shift() === false) throw new Error('no token');
            return forceRefresh ? 'second' : 'first';
          },
        },
    logger: { warn: log },
    replayCreates: plan.isAssumptionTrue,
    middleware: [
      { onStart: observing, onRequest: taking, onResponse: observing, onError: observing, onEnd: observing },
    ],
    ...(['one hop', 'two hops', 'wrapper'].includes(plan.connection) && { fetch: custom }),
    ...(plan.connection === 'contexts' && { fetch: fetchInContexts(plan) }),
    ...(plan.connection === 'one hop' && { trustConnectErrors: true }),
  });
}

function start(api: Client, { kind, thing }: PlannedCall & { thing: string }, signal: AbortSignal | undefined) {
  const dealId = Number(thing);
  const options = signal && { signal };
  if (kind === 'POST') return api.crm.boards.create({ name: thing }, options);
  if (kind === 'GET') return api.crm.deals.get({ dealId }, options);
  if (kind === 'DELETE') return api.crm.deals.delete({ dealId }, options);
  return api.crm.deals.update({ dealId, pipelineId: 1, stepId: 1, name: 'Renewal', price: 1, status: 1 }, options);
}

function isOurs(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, Symbol.for('carillon.error')) === true;
}

function namesCall(error: Error): boolean {
  return ['operationId', 'method', 'path', 'attempts', 'sent'].every((key) => Reflect.get(error, key) !== undefined);
}

function sentOf(error: unknown, otherwise: unknown): unknown {
  return isOurs(error) ? Reflect.get(error, 'sent') : otherwise;
}

function deny(denials: Denial[], { kind, thing }: PlannedCall & { thing: string }, sent: unknown): void {
  if (sent === 'no' && kind !== 'GET') denials.push({ thing, what: "sent: 'no'" });
}

/** Real time for work of a sequence, so that a busy machine is not mistaken for a call that hangs. */
function untilLate(): { isOver(): boolean } {
  const end = process.hrtime.bigint() + 10_000_000_000n;
  return { isOver: () => process.hrtime.bigint() > end };
}

/** Advances the fake clock until work settles, fast if only time can end a wait. */
async function settles(work: Promise<unknown>, service: Service): Promise<boolean> {
  let isSettled = false;
  const settled = work.finally(() => {
    isSettled = true;
  });
  let idle = 0;
  const patience = untilLate();
  while (!isSettled && !patience.isOver()) {
    const before = service.received;
    await new Promise((resolve) => nextTurn(resolve));
    idle = service.received === before && service.stalled > 0 ? idle + 1 : 0;
    vi.advanceTimersByTime(idle > 3 ? 20_000 : 1);
  }
  if (isSettled) await settled;
  return isSettled;
}
