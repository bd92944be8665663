import { isCarillonError } from 'carillon';

/** Describes why a service does not respond properly, such as `cannot be reached (ECONNREFUSED)`. */
export function describeOutage(error: unknown): string {
  if (isCarillonError(error, 'ApiError')) return `responds with status ${error.status}`;
  if (isCarillonError(error, 'TokenError')) return 'does not return an access token';
  if (isCarillonError(error, 'DeadlineError')) return 'does not respond in time';
  if (!isCarillonError(error, 'ConnectionError')) return 'sends responses that cannot be read';
  const code = codeOf(error.cause);
  const isReached = code !== undefined && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code);
  const what = isReached ? 'closes the connection' : 'cannot be reached';
  return code === undefined ? what : `${what} (${code})`;
}

function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : codeOf(cause.cause);
}

/** Returns the address of a service without parts that may be secret. */
export function serviceOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
