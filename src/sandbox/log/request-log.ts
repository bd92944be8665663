import { unknownName } from '../../shared/did-you-mean.ts';
import { fitsPattern } from '../faults/fault-match.ts';
import type { PlainResponse } from '../http/request-and-response.ts';
import { logLimits } from '../limits.ts';
import { LogEntry, type LoggedRequest, type NewEntry } from './logged-request.ts';

/** Selects requests in the log. A request must meet every condition. */
export interface RequestFilter {
  /** `operationId` of the operation. */
  operation?: string;
  /** HTTP method, in upper case. */
  method?: string;
  /** Path without its query, such as `/crm/v1/deals/501`. `*` matches any characters: `/crm/v1/deals/*`. */
  path?: string;
  /** A string to find, ignoring case, in the method, path with query, operation, rule, choices, headers or body. */
  text?: string;
  /** HTTP status of the response. */
  status?: number;
  /** ID of the rule that the request violated. */
  rule?: string;
  /** ID of a request. Only later requests are selected. */
  after?: number;
  /** Maximum number of requests, 0 or more. If more requests match, the newest are selected. */
  limit?: number;
}

/**
 * The requests that a sandbox has received.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon-sandbox';
 *
 * const { fetch, log } = createSandbox();
 * const response = await fetch('https://sandbox.example.com/crm/v1/users');
 * const id = Number(response.headers.get('x-sandbox-request'));
 * console.log(log.get(id)?.status, log.list({ operation: 'listUsers' }).length);
 * ```
 */
export interface RequestLog {
  /**
   * Finds one request.
   *
   * @param id - number of the request, from the header `x-sandbox-request` of its response
   * @returns the request, or `undefined` if the log does not contain the request
   */
  get(id: number): LoggedRequest | undefined;
  /**
   * Lists requests.
   *
   * @param filter - conditions on a request (default: none)
   * @returns the requests, oldest first
   * @throws `RangeError` if `limit` is not a whole number of 0 or more, or if the filter has an unknown condition
   */
  list(filter?: RequestFilter): LoggedRequest[];
  /** Removes all requests. The IDs of later requests continue to increase. */
  clear(): void;
}

/** Keeps the last requests within a memory limit. */
export class LimitedLog implements RequestLog {
  readonly entries: LogEntry[] = [];
  #size = 0;
  #lastId = 0;

  /** Adds a request before its response. The caller completes the entry. */
  add(request: NewEntry): LogEntry {
    this.#lastId += 1;
    const entry = new LogEntry(this.#lastId, request);
    this.entries.push(entry);
    this.#size += entry.bodySize;
    this.#dropBeyondLimits();
    return entry;
  }

  /** Completes an entry, even if the log no longer contains it. */
  complete(entry: LogEntry, response: PlainResponse, text: string | null): void {
    const before = entry.bodySize;
    entry.complete(response, text);
    if (this.get(entry.id) === entry) this.#size += entry.bodySize - before;
    this.#dropBeyondLimits();
  }

  get(id: number): LogEntry | undefined {
    const [{ id: first } = { id: 0 }] = this.entries;
    return this.entries[id - first];
  }

  list(filter: RequestFilter = {}): LogEntry[] {
    checkFilter(filter);
    const { limit, ...conditions } = filter;
    const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
    const found = this.entries.filter((entry) =>
      given.every(([name, value]) => tests[name as keyof typeof tests](entry, value as never)),
    );
    return limit === undefined ? found : limit === 0 ? [] : found.slice(-limit);
  }

  clear(): void {
    this.entries.length = 0;
    this.#size = 0;
  }

  #dropBeyondLimits(): void {
    while (this.entries.length > logLimits.requests || this.#size > logLimits.total)
      this.#size -= this.entries.shift()?.bodySize ?? 0;
  }
}

/** A test for each condition of a filter. */
const tests: {
  [Name in keyof Omit<Required<RequestFilter>, 'limit'>]: (
    entry: LogEntry,
    value: NonNullable<RequestFilter[Name]>,
  ) => boolean;
} = {
  operation: (entry, operation) => entry.operation === operation,
  method: (entry, method) => entry.method === method.toUpperCase(),
  path: (entry, path) => fitsPattern(entry.path.split('?', 1)[0] ?? '', path),
  text(entry, text) {
    const { method, path, operation = '', rule = '', choices = [], headers } = entry;
    const wanted = text.toLowerCase();
    const places = [method, path, operation, rule, ...choices, ...Object.values(headers), bodyString(entry)];
    return places.some((place) => place.toLowerCase().includes(wanted));
  },
  status: (entry, status) => entry.status === status,
  rule: (entry, rule) => entry.rule === rule,
  after: (entry, after) => entry.id > after,
};

const filterNames = [...Object.keys(tests), 'limit'];

function bodyString({ body }: LogEntry): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

function checkFilter(filter: RequestFilter): void {
  if (typeof filter !== 'object' || filter === null) throw new RangeError('A log filter must be an object');
  const unknown = unknownName(Object.keys(filter), filterNames, { one: 'condition ', all: 'conditions' });
  if (unknown !== undefined) throw new RangeError(`T${unknown.slice(1)}`);
  const { limit } = filter;
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw new RangeError(`limit must be a whole number of 0 or more, not ${limit}`);
}
