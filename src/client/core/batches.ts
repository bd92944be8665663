import type { BatchOptions } from './batch-options.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import { BatchRun } from './batch-run.ts';

/**
 * Splits a long list into several requests. Every item is in exactly one outcome, in the order of the input, and no item is sent
 * twice. A failed batch does not stop the others.
 *
 * A started batch is `not-done` only if both conditions hold:
 *
 * - `run` rejected with the error of one of its calls that was not sent (`sent: 'no'`), or with the reason of the abort before
 *   any of its calls was sent;
 * - no other call that creates, changes or sends something was sent, may have been sent, or is still pending.
 *
 * Otherwise it is `unknown`. This includes a batch that the service refused (such as with 401, 422 or 429), because its request
 * was sent; `error` contains the service's answer. It also includes a batch that made no call, or whose `run` rejected with an
 * error that does not come from a call.
 *
 * The calls of a batch are those that `run` makes, with or without `signal`, also inside another `runInBatches`. Browsers have no
 * `AsyncLocalStorage`, so only calls with the batch's `signal` are recognized there. If a call without `signal` may have been
 * sent, other batches that fail meanwhile are `unknown`, because a queue may have started the call for one of them. Always pass
 * `signal`. Requests that `run` makes without this client are not recognized. After a batch is reported as `not-done`, the client
 * refuses further modifying calls of it.
 *
 * @param options - the items, the size of a batch, and the function that sends one
 * @returns one outcome for each batch, in order
 * @throws `BatchStoppedError` with all outcomes if the signal is aborted or a callback throws. The run then starts no further
 * batch and waits for the running ones: up to five seconds after an abort, or until the pending calls have ended, and at least
 * five seconds, after a callback threw. A batch whose `run` has not settled by then is aborted and `unknown`. The run waits five
 * seconds for a callback.
 * @throws `RangeError` if `size` or `concurrency` is not an integer above 0
 * @example
 * ```ts
 * import { createClient, Email, runInBatches } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const outcomes = await runInBatches({
 *   items: ['msg-2026-0001', 'msg-2026-0002'],
 *   size: Email.MessagesGetManyMaxItems.emails,
 *   run: (emails, { signal }) => api.email.messages.getMany({ emails }, { signal }),
 *   onProgress: ({ finished, total }) => console.log(`${finished} of ${total}`),
 * });
 * const again = outcomes.filter((outcome) => outcome.status === 'not-done').flatMap((outcome) => outcome.items);
 * console.log(again);
 * ```
 */
export async function runInBatches<Item, Result>(
  options: BatchOptions<Item, Result>,
): Promise<BatchOutcome<Item, Result>[]> {
  const { items, size, concurrency = 4 } = options;
  if (!Array.isArray(items)) throw new RangeError('items must be a list');
  for (const [name, value] of Object.entries({ size, concurrency })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number above 0`);
  }
  return new BatchRun(options).finish(concurrency);
}
