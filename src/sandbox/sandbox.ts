import { answer, refusalReply } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { type Clock, SandboxClock } from './clock.ts';
import { answerControl, controlPrefix } from './control.ts';
import { copy } from './copy.ts';
import { DroppedConnection } from './dropped-connection.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { FaultList, type Faults, faultReply, wait } from './faults.ts';
import { setHandler } from './handle.ts';
import type { Account } from './handler.ts';
import { type Incoming, readIncoming } from './incoming.ts';
import { notRouted, notRoutedChoice } from './not-routed.ts';
import type { LoggedRequest, SandboxOptions } from './options.ts';
import { Refusal } from './refusal.ts';
import { type Reply, toResponse } from './reply.ts';
import { Router } from './router.ts';
import { rules } from './rules.ts';
import { seed } from './seed/seed.ts';
import { emptyState, type State } from './state/state.ts';

/** Everything of a sandbox at one moment: made by `snapshot`, taken by `restore`. */
export type Snapshot = {
  /** The data, a copy. */
  readonly state: State;
  /** Where the clock stood, and whether it ran. */
  readonly clock: ReturnType<SandboxClock['save']>;
};

/**
 * A stateful stand-in for the service, in this process.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const sandbox = createSandbox();
 * const before = sandbox.snapshot();
 * const answer = await sandbox.fetch('https://sandbox.example.com/crm/v1/deals/501', {
 *   headers: { authorization: 'Bearer any' },
 * });
 * console.log(answer.status, sandbox.requests.length, sandbox.state.crm.deals.size);
 * sandbox.restore(before);
 * ```
 */
export interface Sandbox {
  /**
   * Answers like the service: give it to a client as its `fetch`, to a server or to MSW as a handler. Where the address
   * begins does not matter; its path has the base path of the operation. It rejects with {@link DroppedConnection} where a
   * fault drops the connection, and with `signal.reason` where the request is aborted.
   *
   * @param input - a request, or its address
   * @param init - as for the global `fetch`
   * @returns the answer; a refusal names its rule in `x-sandbox-rule` and its choices in `x-sandbox-choice`
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** The data, to look at and to change. */
  readonly state: State;
  /** The sandbox's own time. */
  readonly clock: Clock;
  /** Faults to answer with. */
  readonly faults: Faults;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /**
   * Back to the data set it began with; faults, log and issued tokens are gone, the clock is kept.
   *
   * @param options - another data set for this time
   * @throws `RangeError` for a seed that is no number of records
   */
  reset(options?: Pick<SandboxOptions, 'seed'>): void;
  /**
   * A copy of data and clock.
   *
   * @returns plain data, which later changes of the sandbox do not touch
   */
  snapshot(): Snapshot;
  /**
   * Back to a snapshot; it can be restored again. Faults and log stay as they are.
   *
   * @param snapshot - made by `snapshot`, of this sandbox or of another
   */
  restore(snapshot: Snapshot): void;
}

const { keys: mostKeys } = rules['crm-static-api-keys'].values;
const longestLog = 1_000;
const router = new Router<Endpoint>(endpoints);
const operationIds: ReadonlySet<string> = new Set(endpoints.map(({ route }) => route.id));

/**
 * Makes a sandbox. Instances share nothing.
 *
 * @param options - what it holds, whom it lets in, when it is
 * @returns a sandbox with data, clock, faults and log of its own
 * @throws `RangeError` for more API keys than an account can have, and for a seed that is no number of records
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const sandbox = createSandbox();
 * const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
 * const deal = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });
 * console.log(await api.crm.deals.get({ dealId: deal.id }));
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  if ((options.apiKeys?.length ?? 0) > mostKeys)
    throw new RangeError(`An account has at most ${mostKeys} static API keys`);
  const clock = new SandboxClock(Date.now, options.startAt);
  const faults = new FaultList(operationIds);
  const requests: LoggedRequest[] = [];
  const account: Account = {
    tariff: options.tariff ?? 'paid',
    currency: options.currency ?? 'EUR',
    clients: options.clients,
  };
  let state = freshState(options.seed);

  function freshState(size: boolean | number = true): State {
    if (typeof size === 'number' && !(Number.isSafeInteger(size) && size >= 0))
      throw new RangeError('seed is true, false or a whole number of records');
    const fresh = emptyState();
    if (size !== false) seed(fresh, size === true ? 0 : size, clock.now());
    return fresh;
  }

  function log(entry: LoggedRequest): void {
    requests.push(entry);
    if (requests.length > longestLog) requests.shift();
  }

  async function handle(incoming: Incoming): Promise<Reply> {
    incoming.signal?.throwIfAborted();
    if (options.control && incoming.url.pathname.startsWith(controlPrefix)) return answerControl(sandbox, incoming);
    const reply = await perform(incoming);
    return incoming.method === 'HEAD' ? { ...reply, text: null } : reply;
  }

  async function perform(incoming: Incoming): Promise<Reply> {
    const { method, url, text } = incoming;
    const entry: LoggedRequest = { at: clock.now(), method, path: url.pathname + url.search };
    const found = router.find(method, url.pathname);
    if (!found || 'allowed' in found) {
      const reply = notRouted(method, found?.allowed);
      log({ ...entry, status: reply.status, choices: [notRoutedChoice] });
      return reply;
    }
    const { target, path } = found;
    Object.assign(entry, { operation: target.route.id, ...(text && !target.route.anonymous && { body: shown(text) }) });
    log(entry);
    const fault = faults.take(target.route.id);
    if (fault?.delay) await wait(fault.delay, incoming.signal);
    if (fault?.drop === 'before')
      throw new DroppedConnection('The sandbox dropped the connection before the request was processed');
    if (fault?.status !== undefined) {
      entry.status = fault.status;
      return faultReply(fault.status, fault.body, fault.headers);
    }
    const reply = respond(target, path, incoming, entry);
    if (fault?.drop === 'after')
      throw new DroppedConnection('The sandbox processed the request and dropped the connection');
    entry.status = reply.status;
    return reply;
  }

  function respond(
    target: Endpoint,
    path: Record<string, string | number>,
    incoming: Incoming,
    entry: LoggedRequest,
  ): Reply {
    const now = clock.now();
    try {
      if (!target.route.anonymous) authenticate(incoming.authorization, options, state, now);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.choice) entry.choices = [error.choice];
      return refusalReply(error);
    }
    const { reply, rule, choices } = answer(target, path, incoming, { state, now, account });
    if (rule) entry.rule = rule;
    if (choices.length > 0) entry.choices = choices;
    return reply;
  }

  const sandbox: Sandbox = {
    async fetch(input, init) {
      return toResponse(await handle(await readIncoming(input, init)));
    },
    get state() {
      return state;
    },
    clock,
    faults,
    requests,
    reset({ seed: other = options.seed } = {}) {
      state = freshState(other);
      faults.clear();
      requests.length = 0;
    },
    snapshot: () => ({ state: copy(state), clock: clock.save() }),
    restore(snapshot) {
      state = copy(snapshot.state);
      clock.load(snapshot.clock);
    },
  };
  setHandler(sandbox, handle);
  return sandbox;
}

function shown(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
