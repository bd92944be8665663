/** The token or the world is wrong, or missing. */
export class AccessError extends Error {}

const tokenKey = 'carillon-control-token';

/** World that the page shows; `undefined` for the one that a request without a name gets. */
let world: string | undefined;

export function chooseWorld(name: string): void {
  world = name;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** Takes the token from the address, so that it stays in neither the address nor the history. */
export function takeTokenFromAddress(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  keepToken(decodeURIComponent(token));
  history.replaceState(null, '', location.pathname);
}

/**
 * Sends a control request.
 *
 * @param command - path below `/__sandbox/`
 * @returns the reply's JSON, which the caller's type describes
 */
export async function control<Result = void>(method: string, command: string, body?: object): Promise<Result> {
  const headers = new Headers();
  const token = sessionStorage.getItem(tokenKey);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (world !== undefined) headers.set('x-sandbox-world', encodeURIComponent(world));
  const response = await fetch(`/__sandbox/${command}`, {
    method,
    headers,
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const reply = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return reply;
  const message = String(reply?.message ?? `Status ${response.status}`);
  throw response.status === 401 ? new AccessError(message) : new Error(message);
}
