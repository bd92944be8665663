import type { BatchOptions } from './batch-options.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import { BatchRun } from './batch-run.ts';

/**
 * Splits a long list over several requests. Nothing is dropped and nothing is sent twice: every item is in exactly one
 * outcome, in the order of the input, and a failed batch does not stop the others.
 *
 * A batch that was started is `not-done` only if all of this is true:
 *
 * - `run` rejected with the error of a call that it made, and this call was not sent (`sent: 'no'`); or it rejected with the reason of
 *   the abort, and none of its calls was sent;
 * - no other call that creates, changes or sends something was or may have been sent, and none is still under way.
 *
 * Otherwise it is `unknown`. A batch whose request was answered was sent, so a refusal (such as 401, 422 or 429) is `unknown`, too:
 * its `error` says what the service answered. So is a batch that made no call, or whose `run` rejected with an error of its own.
 *
 * The calls of a batch are those that `run` makes, with or without `signal`, also within another `runInBatches`. Browsers have no
 * `AsyncLocalStorage`. There, only calls with the `signal` of the batch are known. A call without it that may have been sent makes
 * other batches that fail meanwhile `unknown`, because a queue may have started it for one of them: pass `signal`. What `run` does without this client is never known. After a batch was reported as `not-done`, its
 * further calls that change something are refused.
 *
 * @param options - the items, how many of them a batch has, and what sends one
 * @returns one outcome for each batch, in order
 * @throws `BatchStoppedError` if the signal is aborted or a callback throws. It has all outcomes. The run then starts nothing
 *   more and waits for what is in flight: after an abort, up to five seconds; after a callback that throws, until the calls under
 *   way have ended, and at least five seconds. A batch whose `run` has not settled by then is `unknown`, and aborted. A callback
 *   is waited for five seconds, too.
 * @throws `RangeError` if `size` or `concurrency` is not a whole number above 0
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
