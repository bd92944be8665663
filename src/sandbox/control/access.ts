import { jsonResponse, type PlainRequest, type PlainResponse } from '../http/request-and-response.ts';

/** Who can control a sandbox over HTTP. */
export interface ControlOptions {
  /**
   * Token that control requests must send, as in `Authorization: Bearer <token>`. If a token is set, control requests can have
   * any host name; otherwise, they must have a host name of this machine, such as `localhost`.
   */
  token?: string | undefined;
  /**
   * Origins of pages that can send control requests, such as `http://localhost:3000`. Pages from the sandbox's own origin can
   * always send control requests.
   */
  origins?: readonly string[] | undefined;
}

/**
 * Decision on a control request. If `isAdmin` is true, the request can control every world; otherwise, it can control only its
 * own world.
 */
export type Access =
  | { rejection: PlainResponse; headers?: never; isAdmin?: never }
  | { rejection?: never; headers: Record<string, string>; isAdmin: boolean };

/**
 * Creates a function that decides whether a control request is permitted. A request from a page of another origin is permitted
 * only if `origins` contains that origin; browsers send the origin of the page. In a DNS rebinding attack, a page points its
 * own host name at this machine, but the `Host` header still contains that host name. A request without a `Host` header comes
 * from this process. A request that sends the key of a world can control that world without the token.
 */
export function createAccess({
  token,
  origins = [],
}: ControlOptions): (request: PlainRequest, isOwner: boolean) => Access {
  const allowed = new Set(origins.map(readOrigin));
  return ({ headers }, isOwner) => {
    const host = headers.get('host');
    const origin = headers.get('origin');
    const site = headers.get('sec-fetch-site');
    if (token === undefined && host !== null && !isOwnName(host))
      return reject(
        403,
        `If no control token is set, the Host header of a control request must name this machine, not ${host}.`,
      );
    const isListed = origin !== null && allowed.has(origin);
    if (
      origin !== null
        ? !isListed && !isSameHost(origin, host)
        : site !== null && site !== 'same-origin' && site !== 'none'
    )
      return reject(403, 'Pages from other origins cannot control the sandbox. Allow an origin with --control-origin.');
    const hasToken = token !== undefined && headers.get('authorization') === `Bearer ${token}`;
    if (token !== undefined && !hasToken && !isOwner)
      return reject(401, 'Send the control token in the header Authorization: Bearer <token>.');
    return { isAdmin: hasToken || host === null, headers: isListed ? openTo(origin) : closed };
  };
}

/** Without CORS headers, pages from other origins cannot read a response. */
const closed = { 'cross-origin-resource-policy': 'same-origin' };

function openTo(origin: string): Record<string, string> {
  return { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': origin, vary: 'origin' };
}

function reject(status: number, message: string): Access {
  return { rejection: jsonResponse(status, { message }, closed) };
}

function isOwnName(host: string): boolean {
  const name = readHost(host)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}

function isSameHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === readHost(host)?.host;
}

function readHost(host: string): URL | undefined {
  const text = `http://${host}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function readOrigin(origin: string): string {
  if (!URL.canParse(origin))
    throw new RangeError(`'${origin}' is not an origin. An example of an origin is http://localhost:3000`);
  return new URL(origin).origin;
}
