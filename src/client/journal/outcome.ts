import { isCarillonError } from '../core/errors/is-carillon-error.ts';

/** It is unknown whether a step was done. A later run looks it up before it sends a request. */
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
 * Whether an error proves that a request had no effect, because it was not sent or its only attempt was refused.
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

/** Whether it is only an assumption that a request had no effect. The documents do not specify this for 401 and 429. */
export function isAssumedUndone(error: unknown): boolean {
  return isCarillonError(error, 'ApiError') && [401, 429].includes(error.status);
}

/**
 * Whether an error concerns only one row, so that the run can continue with the next rows. This is the case if the service or the
 * client refused its values (an `ArgumentError` with a `parameter`), its outcome is unknown, or a lookup is not conclusive.
 * Without a connection, a valid key or a quota, every row would fail in the same way, as it would with an error in the program,
 * such as an unknown option (an `ArgumentError` without a `parameter`).
 *
 * @param error - rejection of `once`
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
 * Whether the client refused a value of the call. An `ArgumentError` without a `parameter` means that the call itself is wrong.
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
