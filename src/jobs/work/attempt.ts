/// <reference types="node" />
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientOptions, HookRequest, Middleware } from 'carillon';
import { crmOperations } from '../../../generated/crm/operations.ts';
import { crmReference } from '../../../generated/crm/reference.ts';
import { emailOperations } from '../../../generated/email/operations.ts';
import { emailReference } from '../../../generated/email/reference.ts';
import { messagingOperations } from '../../../generated/messaging/operations.ts';
import { messagingReference } from '../../../generated/messaging/reference.ts';
import { listOperations } from '../../shared/operation.ts';
import type { OperationReferences, Quota } from '../../shared/reference.ts';
import { JobsError } from '../jobs-error.ts';
import type { Limits } from '../journal/limits.ts';

/** Deadline of a request in milliseconds, for definitions that set none. */
export const defaultDeadline = 60_000;

/**
 * Milliseconds for which a mark counts without a new confirmation: a process that was stopped for longer asks again. A request can
 * leave so much later than its mark, and is looked up so much later.
 */
export function markLifetime(deadline: number): number {
  return Math.min(5_000, deadline / 2);
}

/** A request that may not leave now: a quota is used up, or the worker no longer holds the row. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
  /** Milliseconds until it can be tried again. */
  readonly wait: number | undefined;

  constructor(message: string, wait?: number) {
    super(message);
    this.wait = wait;
  }
}

/** One run of `send` or `find`, and what its requests were. */
export interface Attempt {
  readonly isLookup: boolean;
  readonly account: string;
  /** Deadline of a request in milliseconds. */
  readonly deadline: number;
  /** What has the quota beside the account. */
  readonly quotaOf: string | number | undefined;
  /** Rejects with a `HeldBackError` if the worker may no longer hold the row. */
  confirm(): Promise<void>;
  /** Whether the worker may still hold the row, as far as the process knows without asking. */
  isFresh(): boolean;
  /** Waits for the rate of the job, except before the first request: the engine waited for it before it marked the row. */
  pace(): Promise<void>;
  /** `callId` of the request that writes, once it left. */
  writeCall?: number;
  /** `operationId` of the request that writes, once it left. */
  writeOperation?: string;
  /** Why no request left. */
  heldBack?: HeldBackError;
  /** The deadline has passed. */
  isOver?: boolean;
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Runs `send` or `find`, so that the hook knows to which attempt a request belongs. */
export const runAttempt = <Result>(attempt: Attempt, run: () => Result): Result => attempts.run(attempt, run);

const operations = [crmOperations, messagingOperations, emailOperations].flatMap(listOperations);
const reading = new Set(
  operations
    .filter(({ method, record }) => method.toUpperCase() === 'GET' || record.safe || record.anonymous)
    .map(({ record }) => record.id),
);
const references: OperationReferences = { ...crmReference, ...messagingReference, ...emailReference };
/** The documented quotas by operationId. */
export const quotas: Readonly<Record<string, Quota>> = Object.fromEntries(
  Object.entries(references).flatMap(([id, { quota }]) => (quota ? [[id, quota]] : [])),
);

/** Whether the cause of an error code is what all rows of a job have in common, as the spec says. */
export function concernsAll(operationId: string, code: string): boolean {
  return references[operationId]?.errors?.[code]?.concernsAll === true;
}

/** The hook of the client of jobs: nothing leaves without a reservation, and no request writes for a row that others may hold. */
export function createHook(limits: Pick<Limits, 'reserve'>): Middleware {
  return {
    async onRequest(request) {
      const attempt = attempts.getStore();
      if (!attempt) return;
      try {
        await admit(request, attempt, limits);
      } catch (error) {
        if (error instanceof HeldBackError) attempt.heldBack = error;
        throw error;
      }
    },
  };
}

/**
 * Adds the last look before a request leaves: between the hook and here, the process may have been stopped, or have waited for a token.
 *
 * @param send - the user's `fetch`; without it, the platform's
 */
export function guardFetch(send: ClientOptions['fetch']): NonNullable<ClientOptions['fetch']> {
  return async (url, init) => {
    const attempt = attempts.getStore();
    if (attempt?.writeCall !== undefined && !attempt.isFresh()) {
      attempt.heldBack = new HeldBackError('The process was stopped before the request left');
      delete attempt.writeCall;
      delete attempt.writeOperation;
      throw attempt.heldBack;
    }
    return (send ?? fetch)(url, init);
  };
}

async function admit({ operationId, callId }: HookRequest, attempt: Attempt, limits: Pick<Limits, 'reserve'>) {
  const isWrite = !reading.has(operationId);
  if (isWrite && attempt.isLookup) throw new JobsError(`A lookup must not write: it called ${operationId}.`);
  // The same call may be repeated: after a 401, with a new token.
  if (isWrite && attempt.writeCall !== undefined && attempt.writeCall !== callId) {
    throw new JobsError(`A step sends one request that writes: make ${operationId} a step of its own.`);
  }
  await attempt.pace();
  const quota = quotas[operationId];
  if (quota) {
    const name = [operationId, attempt.account, attempt.quotaOf ?? ''].join(' ');
    const wait = await limits.reserve(name, quota, attempt.deadline);
    if (wait !== undefined) throw new HeldBackError(`The quota of ${operationId} is used up`, wait);
  }
  if (!isWrite) return;
  // Last: the request leaves right after it.
  await attempt.confirm();
  attempt.writeCall = callId;
  attempt.writeOperation = operationId;
}
