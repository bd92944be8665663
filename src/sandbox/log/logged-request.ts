import { isRecord } from '../../shared/is-record.ts';
import type { PlainHeaders } from '../http/plain.ts';
import { logLimits } from '../limits.ts';
import { parseJson } from '../rules/json.ts';
import { isSecretName } from './secret-names.ts';

/** A request that the sandbox has received. */
export interface LoggedRequest {
  /** Number of the request, also in the reply header `x-sandbox-request`. */
  readonly id: number;
  /** Time of the request by the sandbox's clock, in milliseconds since 1970. */
  at: number;
  /** HTTP method. */
  method: string;
  /** Path with query. The values of secrets in the query are replaced by `***`. */
  path: string;
  /** Headers by their names in lower case. The values of secrets are replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** `operationId`; absent if the request matches no operation. */
  operation?: string;
  /**
   * Request body as parsed JSON, or as text if it is not JSON or if only its beginning is kept. The values of secret fields,
   * such as `client_secret` and `password`, are replaced by `***`. Absent for token
   * requests, which contain client secrets, and for old requests if the log would otherwise take too much memory.
   */
  readonly body?: unknown;
  /** Length of the body in characters; absent if the request has no body. */
  bodyLength?: number;
  /** HTTP status of the reply; absent if the connection was dropped. */
  status?: number;
  /**
   * Body of the reply in the same form as `body`: parsed, without secrets, and only the beginning if it is long. Absent for
   * replies that contain tokens.
   */
  readonly replyBody?: unknown;
  /** Headers of the reply, as `headers`. Absent if the connection was dropped. */
  replyHeaders?: Readonly<Record<string, string>>;
  /** Length of the reply's body in characters; absent if the reply has no body. */
  replyBodyLength?: number;
  /** Id of the rule that the request broke, a key of `rules`. */
  rule?: string;
  /** Ids of the sandbox's choices that the reply depends on, keys of `choices`. */
  choices?: string[];
  /** Id of the fault that the request got. */
  fault?: number;
  /** Milliseconds of real time until the reply; absent until then. */
  milliseconds?: number;
}

/** A request before it is answered. */
export interface NewEntry {
  at: number;
  method: string;
  /** Path without query. */
  path: string;
  /** Query with its question mark. */
  search: string;
  operation: string | undefined;
  /** Body as text, or an empty text. */
  text: string;
  headers: PlainHeaders;
}

const hidden = '***';

/** Keeps the body as text, and parses it on access. */
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
  declare replyHeaders?: Readonly<Record<string, string>>;
  declare replyBodyLength?: number;
  declare rule?: string;
  declare choices?: string[];
  declare fault?: number;
  declare milliseconds?: number;
  #text: string | undefined;
  #replyText: string | undefined;

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
      this.#text = beginning(text);
    }
  }

  get body(): unknown {
    return parseBody(this.#text, this.bodyLength);
  }

  get replyBody(): unknown {
    return parseBody(this.#replyText, this.replyBodyLength);
  }

  keepReplyHeaders(headers: Readonly<Record<string, string>>): void {
    this.replyHeaders = readHeaders(new Headers(headers));
  }

  /** Keeps the body of the reply, and returns the number of characters that it takes. */
  keepReply(text: string): number {
    this.replyBodyLength = text.length;
    this.#replyText = beginning(text);
    return this.#replyText.length;
  }

  /** Characters of the bodies that this entry keeps. */
  get bodySize(): number {
    return (this.#text?.length ?? 0) + (this.#replyText?.length ?? 0);
  }

  /** Drops both bodies, and returns the number of characters that they took. */
  forgetBodies(): number {
    const length = this.bodySize;
    this.#text = undefined;
    this.#replyText = undefined;
    return length;
  }

  /** Plain data, for `JSON.stringify`. */
  toJSON(): LoggedRequest {
    const { body, replyBody } = this;
    return { ...this, ...(body !== undefined && { body }), ...(replyBody !== undefined && { replyBody }) };
  }

  /** Shows the body in Node's `console.log` too. */
  [Symbol.for('nodejs.util.inspect.custom')](): LoggedRequest {
    return this.toJSON();
  }
}

/** Copies the beginning of a body. A slice would keep the whole text in memory. */
function beginning(text: string): string {
  if (text.length <= logLimits.body) return text;
  const bytes = new Uint8Array(logLimits.body);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}

function readHeaders(headers: Pick<PlainHeaders, 'forEach'>): Record<string, string> {
  const read: Record<string, string> = {};
  headers.forEach((value, name) => {
    read[name] = isSecretName(name) ? hidden : value;
  });
  return read;
}

/** Returns a kept body without secrets. It is parsed if it is complete JSON. */
function parseBody(text: string | undefined, length: number | undefined): unknown {
  if (text === undefined || text.length !== length) return withoutTextSecrets(text);
  try {
    return withoutFieldSecrets(parseJson(text));
  } catch {
    return withoutTextSecrets(text);
  }
}

/** Replaces the values of secret fields. The recursion ends, because the depth of a body is limited. */
function withoutFieldSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFieldSecrets);
  if (!isRecord(value)) return value;
  const shown = Object.entries(value).map(([name, inner]) => [
    name,
    isSecretName(name) && !isEmpty(inner) ? hidden : withoutFieldSecrets(inner),
  ]);
  return Object.fromEntries(shown);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === true || value === false;
}

/** Replaces secrets in a text that is not JSON, such as a form or the beginning of JSON. */
function withoutTextSecrets(text: string | undefined): string | undefined {
  if (text === undefined) return text;
  if (!/["{[]/.test(text[0] ?? '')) return withoutSecrets(`?${text}`).slice(1);
  return text.replace(/"([^"\\]{1,100})"\s{0,9}:\s{0,9}"[^"]*"?/g, (pair, name: string) =>
    isSecretName(name) ? `"${name}":"${hidden}"` : pair,
  );
}

/** Replaces the values of secrets in a query, which starts with its question mark. */
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
