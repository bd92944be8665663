import { isCarillonError } from '../core/errors/is-carillon-error.ts';

/** It is not known whether a step was done. A later run looks it up before it sends anything. */
export class OutcomeUnknownError extends Error {
  /** Always `OutcomeUnknownError`. */
  override readonly name = 'OutcomeUnknownError';
}

/** A lookup cannot determine whether a lost request was processed. A person has to decide. */
export class LookupUnclearError extends Error {
  /** Always `LookupUnclearError`. */
  override readonly name = 'LookupUnclearError';
}

/**
 * Whether an error proves that a request changed nothing: it was not sent, or its only try was refused.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { provesNothingDone } from 'carillon/journal';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const error = await api.crm.tags.create({ name: 'VIP' }).catch((reason: unknown) => reason);
 * console.log(provesNothingDone(error));
 * ```
 */
export function provesNothingDone(error: unknown): boolean {
  if (!isCarillonError(error)) return false;
  return error.sent === 'no' || (error.sent === 'yes' && isRefusal(error));
}

/** Whether only an assumption says that a request changed nothing: the documents do not show what 401 and 429 mean. */
export function isAssumedUndone(error: unknown): boolean {
  return isCarillonError(error, 'ApiError') && [401, 429].includes(error.status);
}

/**
 * Whether an error concerns only one row, so that the next rows can continue: its values were refused, by the service or by
 * the client (an `ArgumentError` with a `parameter`), its outcome is not known, or a lookup is not clear. Without a connection, a
 * valid key or a quota, every row would fail in the same way; so it would with a fault of the program, such as an option that
 * does not exist (an `ArgumentError` without a `parameter`).
 *
 * @param error - what `once` rejected with
 * @returns `false` for an error that should end the run
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { concernsRow, openJournal } from 'carillon/journal';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const journal = await openJournal({ file: 'tags.journal.ndjson' });
 * const send = async (name: string): Promise<number> => (await api.crm.tags.create({ name })).id;
 * const find = async (name: string) => (await api.crm.tags.list()).find((tag) => tag.name === name)?.id;
 * for (const name of ['VIP', 'Partner']) {
 *   await journal.once({ row: name, step: 'tag', values: name, send, find }).catch((error: unknown) => {
 *     if (!concernsRow(error)) throw error;
 *     console.error(`${name}: ${error}`);
 *   });
 * }
 * await journal.close();
 * ```
 */
export function concernsRow(error: unknown): boolean {
  const isUnsure = error instanceof OutcomeUnknownError || error instanceof LookupUnclearError;
  return isUnsure || isRefusal(error, [401, 403, 429]) || isBadValue(error);
}

/**
 * Whether the client refused a value of the call. An `ArgumentError` without a `parameter` says that the call itself is wrong, whatever
 * its values are.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { isBadValue } from 'carillon/journal';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const error = await api.crm.tags.create({ name: 'VIP' }).catch((reason: unknown) => reason);
 * console.log(isBadValue(error));
 * ```
 */
export function isBadValue(error: unknown): boolean {
  return isCarillonError(error, 'ArgumentError') && error.parameter !== undefined;
}

function isRefusal(error: unknown, others: number[] = []): boolean {
  return isCarillonError(error, 'ApiError') && error.status < 500 && ![408, ...others].includes(error.status);
}
