import { isCarillonError } from 'carillon';

/** The outcome of a step is not known. If `send` throws this error because a request may have been processed, the row is looked up. */
export class OutcomeUnknownError extends Error {
  /** Always `OutcomeUnknownError`. */
  override readonly name = 'OutcomeUnknownError';
}

/** A lookup cannot determine whether a request was processed. If `find` throws this error, a person must decide. */
export class LookupUnclearError extends Error {
  /** Always `LookupUnclearError`. */
  override readonly name = 'LookupUnclearError';
}

/** Whether an error has a given name. `instanceof` fails if a program loads two copies of the package. */
export function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/**
 * Finds the record that a request may have created before its response was lost, by the marker that was sent in the request.
 *
 * @param records - search result, either a list returned by the client or an array
 * @param marker - marker that was passed to `find`
 * @param markerOf - returns the marker of a record, or `undefined` if the record does not have one
 * @returns ID of the only record with the marker, or `undefined` if no record was created
 * @throws `LookupUnclearError` if several records have the marker, or if no record has the marker but some have no marker at all
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { findMarked } from 'carillon-jobs';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const found = api.crm.contacts.list({ firstName: 'Ada', lastName: 'Adler' });
 * console.log(await findMarked(found, 'my-marker', (contact) => contact.externalContactId));
 * ```
 */
export async function findMarked<Item extends { id: number }>(
  records: AsyncIterable<Item> | Iterable<Item>,
  marker: string,
  markerOf: (record: Item) => unknown,
): Promise<number | undefined> {
  const marked = new Set<number>();
  const unmarked = new Set<number>();
  for await (const record of records) {
    const found = markerOf(record) ?? undefined;
    if (found === marker) marked.add(record.id);
    else if (found === undefined) unmarked.add(record.id);
  }
  if (marked.size > 1 || (marked.size === 0 && unmarked.size > 0)) {
    throw new LookupUnclearError(`it is not clear whether the record is one of ${[...marked, ...unmarked].join(', ')}`);
  }
  return [...marked][0];
}

/** Whether a request certainly had no effect, because it was not sent or the service rejected its only attempt. */
export function isCertainlyNotDone(error: unknown): boolean {
  if (!isCarillonError(error)) return false;
  if (error.sent === 'no') return true;
  return error.sent === 'yes' && isCarillonError(error, 'ApiError') && error.status < 500 && error.status !== 408;
}

/** Whether the client found an invalid value in the call. An `ArgumentError` without a `parameter` means that the call itself is wrong. */
export function isBadValue(error: unknown): boolean {
  return isCarillonError(error, 'ArgumentError') && error.parameter !== undefined;
}
