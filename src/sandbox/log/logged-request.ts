import { isSecretName } from '../../shared/secret-names.ts';
import type { PlainHeaders, PlainResponse } from '../http/request-and-response.ts';
import { logLimits } from '../limits.ts';
import { jsonIn } from '../rules/json.ts';

/** A request that the sandbox has received. */
export interface LoggedRequest {
  /** Number of the request. The response header `x-sandbox-request` contains the same number. */
  readonly id: number;
  /** Time of the request on the sandbox's clock, in milliseconds since 1970. */
  at: number;
  /** HTTP method. */
  method: string;
  /** Path with query. Secret values in the query are replaced by `***`. */
  path: string;
  /** Headers by name in lower case. Secret values are replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** `operationId` of the operation; absent if the request matches no operation. */
  operation?: string;
  /**
   * Request body as parsed JSON, or as a string if it is not JSON. Absent for token requests, which contain client secrets, and
   * if the body has more than 65,536 characters.
   */
  readonly body?: unknown;
  /** Length of the body in characters; absent if the request has no body. */
  bodyLength?: number;
  /** HTTP status of the response; absent if the connection was dropped. */
  status?: number;
  /**
   * Body of the response, in the same form as `body`. Absent if the response contains a token, or if its body has more than
   * 65,536 characters.
   */
  readonly responseBody?: unknown;
  /** Headers of the response, in the same form as `headers`. Absent if the connection was dropped. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Length of the response body in characters; absent if the response has no body. */
  responseBodyLength?: number;
  /** ID of the rule that the request violated, as a key of `rules`. */
  rule?: string;
  /** IDs of the sandbox's choices on which the response depends, as keys of `choices`. */
  choices?: string[];
  /** ID of the fault that affected the request. */
  fault?: number;
  /** Time until the response, in milliseconds of real time; absent before the response. */
  milliseconds?: number;
}

/** A request that has no response yet. */
export interface NewEntry {
  at: number;
  method: string;
  /** Path without query. */
  path: string;
  /** Query, including its question mark. */
  search: string;
  operation: string | undefined;
  /** Body, or an empty string. */
  text: string;
  headers: PlainHeaders;
}

const hidden = '***';

/** Keeps the bodies of a request and its response as strings, and parses a body on access. */
export class LogEntry implements LoggedRequest {
  readonly id: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  // Declared without initialisation, so that a property that does not apply is absent.
  declare operation?: string;
  declare bodyLength?: number;
  declare status?: number;
  declare responseHeaders?: Readonly<Record<string, string>>;
  declare responseBodyLength?: number;
  declare rule?: string;
  declare choices?: string[];
  declare fault?: number;
  declare milliseconds?: number;
  #text: string | undefined;
  #responseText: string | undefined;

  constructor(id: number, request: NewEntry) {
    const { at, method, path, search, operation, text, headers } = request;
    this.id = id;
    this.at = at;
    this.method = method;
    this.path = path + withoutSecrets(search);
    this.headers = readHeaders(headers);
    if (operation !== undefined) this.operation = operation;
    if (text !== '') {
      this.bodyLength = text.length;
      this.#text = kept(text);
    }
  }

  get body(): unknown {
    return parseBody(this.#text);
  }

  get responseBody(): unknown {
    return parseBody(this.#responseText);
  }

  /** Adds the response, and its body if it can be logged. */
  complete({ status, headers }: Pick<PlainResponse, 'status' | 'headers'>, text: string | null): void {
    this.status = status;
    this.responseHeaders = readHeaders(new Headers(headers));
    if (!text) return;
    this.responseBodyLength = text.length;
    this.#responseText = kept(text);
  }

  /** Total length of the bodies that this entry keeps, in characters. */
  get bodySize(): number {
    return (this.#text?.length ?? 0) + (this.#responseText?.length ?? 0);
  }

  /** Plain data, for `JSON.stringify`. */
  toJSON(): LoggedRequest {
    const { body, responseBody } = this;
    return { ...this, ...(body !== undefined && { body }), ...(responseBody !== undefined && { responseBody }) };
  }

  /** Shows the body in Node's `console.log` too. */
  [Symbol.for('nodejs.util.inspect.custom')](): LoggedRequest {
    return this.toJSON();
  }
}

function kept(text: string): string | undefined {
  return text.length > logLimits.body ? undefined : text;
}

function readHeaders(headers: Pick<PlainHeaders, 'forEach'>): Record<string, string> {
  const read: Record<string, string> = {};
  headers.forEach((value, name) => {
    read[name] = isSecretName(name) ? hidden : value;
  });
  return read;
}

function parseBody(text: string | undefined): unknown {
  return text === undefined ? undefined : (jsonIn(text) ?? text);
}

/** Replaces secret values in a query string that begins with `?`. */
export function withoutSecrets(search: string): string {
  if (search === '') return search;
  const pairs = search.slice(1).split('&');
  return `?${pairs.map(withoutSecret).join('&')}`;
}

function withoutSecret(pair: string): string {
  const end = pair.indexOf('=');
  const name = pair.slice(0, end);
  return end !== -1 && isSecretName(decode(name)) ? `${name}=${hidden}` : pair;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
