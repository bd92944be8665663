import { onTestFinished, vi } from 'vitest';
import { isCarillonError } from '../../../src/client/index.ts';
import { type Fault, reply, serve } from '../../support/fault-server.ts';
import { failureOf } from './support.ts';

export const done = reply({ data: { id: 1 } });

/** Statuses, cause and outcomes of a stopped run. */
export async function stopOf(
  run: Promise<unknown>,
): Promise<{ statuses: string[]; cause: unknown; outcomes: unknown[] }> {
  const error = await failureOf(run);
  if (!isCarillonError(error, 'BatchStoppedError')) throw error;
  return { statuses: error.outcomes.map(({ status }) => status), cause: error.cause, outcomes: [...error.outcomes] };
}

/** Runs a test without `AsyncLocalStorage`, as in a browser. */
export function withoutContext(): void {
  const key = Symbol.for('carillon.batches');
  const before = Object.getOwnPropertyDescriptor(globalThis, key);
  Reflect.deleteProperty(globalThis, key);
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  onTestFinished(() => {
    vi.restoreAllMocks();
    Reflect.deleteProperty(globalThis, key);
    if (before) Object.defineProperty(globalThis, key, before);
  });
}

/** Answers each batch by its number once all have arrived. */
export async function serveTogether(count: number, answers: Record<number, Fault>) {
  const waiting: (() => void)[] = [];
  return serve((request, response) => {
    const name: unknown = JSON.parse(request.body).name;
    waiting.push(() => (answers[Number(name)] ?? done)(request, response));
    if (waiting.length === count) for (const answer of waiting) answer();
  });
}
