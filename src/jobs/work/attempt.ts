/// <reference types="node" />
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientOptions, HookRequest, Middleware } from 'carillon';
import { operations as tables } from '../../../generated/operations.ts';
import { changesNoRecord, listOperations } from '../../shared/operation.ts';
import type { Quota } from '../../shared/reference.ts';
import { JobsError } from '../jobs-error.ts';
import type { Store } from '../store/store.ts';
import { type Check, guardDispatcher } from './guarded-dispatcher.ts';
import { references } from './opt-out-list.ts';

/** Default deadline of a request, in milliseconds. */
export const defaultDeadline = 60_000;

/**
 * Milliseconds for which a mark is valid without a new confirmation. A process that was suspended for longer must confirm its claim. A
 * request can be sent up to this time after its mark, so a lookup waits for this additional time.
 */
export function markLifetime(deadline: number): number {
  return Math.min(5_000, deadline / 2);
}

/** The request must not be sent now, because a quota is used up or the worker may no longer hold the row. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
  /** Milliseconds until the request can be tried again. */
  readonly wait: number | undefined;

  constructor(message: string, wait?: number) {
    super(message);
    this.wait = wait;
  }
}

/** One run of `send` or `find`, with the state of its requests. */
export interface Attempt {
  readonly account: string;
  /** Deadline of a request in milliseconds. */
  readonly deadline: number;
  /** Checks before the requests of `send`. Absent for `find`, whose requests must not write. */
  readonly hold?: Hold;
  /** `callId` of the request that writes. Set when the request is about to be sent. */
  writeCall?: number;
  /** `operationId` of the request that writes. Set when the request is about to be sent. */
  writeOperation?: string;
  /** Why a request was not sent. */
  heldBack?: HeldBackError;
  /** Whether the deadline has passed. */
  isOver?: boolean;
}

/** Checks that a worker still holds the row that it sends, and waits for the rate of its job. */
export interface Hold {
  /** Rejects with a `HeldBackError` unless the worker certainly holds the row. */
  confirm(): Promise<void>;
  /** Whether the worker still holds the row, according to local state. */
  isFresh(): boolean;
  /**
   * Waits for the rate of the job, except before the first request, for which the claim of the row has already reserved a turn.
   */
  pace(): Promise<void>;
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Runs `send` or `find` in the context of an attempt, so that the client hook can find the attempt of a request. */
export const runAttempt = <Result>(attempt: Attempt, run: () => Result): Result => attempts.run(attempt, run);

const operations = Object.values(tables).flatMap((table) => listOperations(table));
const reading = new Set(operations.filter(({ record }) => changesNoRecord(record)).map(({ record }) => record.id));
/** Documented quotas by operationId. */
export const quotas: Readonly<Record<string, Quota>> = Object.fromEntries(
  Object.entries(references).flatMap(([id, { quota }]) => (quota ? [[id, quota]] : [])),
);

/** Whether an error code concerns all rows of a job, according to the spec. */
export function concernsAll(operationId: string, code: string): boolean {
  return references[operationId]?.errors?.[code]?.concernsAll === true;
}

/**
 * Creates the client hook for jobs. The hook reserves quotas for requests. If another worker may have claimed the row, the hook does
 * not let a request that writes be sent.
 */
export function createHook(store: Pick<Store, 'reserveQuota'>): Middleware {
  return {
    async onRequest(request) {
      const attempt = attempts.getStore();
      if (!attempt) return;
      try {
        await admit(request, attempt, store);
      } catch (error) {
        if (error instanceof HeldBackError) attempt.heldBack = error;
        throw error;
      }
    },
  };
}

/**
 * Checks again right before a request is written, because the process may have been suspended after the hook ran. With Node's
 * `fetch`, the check runs in the first callback of the dispatcher, and before the body. With a custom `fetch`, and on Bun and Deno,
 * it runs before `fetch` is called.
 *
 * @param send - the user's `fetch`; the default is the `fetch` of the platform
 */
export function guardFetch(send: ClientOptions['fetch']): NonNullable<ClientOptions['fetch']> {
  return async (url, init) => {
    const attempt = attempts.getStore();
    if (attempt?.writeCall === undefined) return (send ?? fetch)(url, init);
    if (attempt.hold?.isFresh() === false) throw holdBack(attempt);
    if (send) return send(url, init);
    const dispatcher = guardDispatcher(checkOfAttempt);
    const guarded: RequestInit & { dispatcher?: unknown } = { ...init, ...(dispatcher && { dispatcher }) };
    return fetch(url, guarded);
  };
}

function checkOfAttempt(): Check {
  const attempt = attempts.getStore();
  return () => (attempt?.hold?.isFresh() === false ? holdBack(attempt) : undefined);
}

function holdBack(attempt: Attempt): HeldBackError {
  attempt.heldBack = new HeldBackError('The process was suspended before the request was sent');
  delete attempt.writeCall;
  delete attempt.writeOperation;
  return attempt.heldBack;
}

async function admit({ operationId, callId }: HookRequest, attempt: Attempt, store: Pick<Store, 'reserveQuota'>) {
  const isWrite = !reading.has(operationId);
  const { hold } = attempt;
  if (isWrite && !hold) throw new JobsError(`A lookup must not write, but it called ${operationId}.`);
  // A call may be repeated with a new token after a 401.
  if (isWrite && attempt.writeCall !== undefined && attempt.writeCall !== callId) {
    throw new JobsError(`A step may send only one request that writes: move ${operationId} to a separate step.`);
  }
  await hold?.pace();
  const quota = quotas[operationId];
  if (quota) {
    const wait = await store.reserveQuota(
      `${operationId} ${attempt.account}`,
      quota.requests,
      quota.seconds * 1_000 + attempt.deadline,
    );
    if (wait !== undefined) throw new HeldBackError(`The quota of ${operationId} is used up`, wait);
  }
  if (!isWrite) return;
  // Confirm last, right before the request is sent.
  await hold?.confirm();
  attempt.writeCall = callId;
  attempt.writeOperation = operationId;
}
