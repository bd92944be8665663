import type { Authorizer } from './authorizer.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionError } from './errors/local-errors.ts';
import type { Settings } from './settings.ts';

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
}

export interface Answer {
  response: Response;
  /** The body, read within the deadline. */
  text: string;
  /** The token that was sent, so that no message repeats it. */
  secrets: string[];
}

/**
 * Sends a request with its credential and reads the answer whole. After a 401 the token is replaced and the request
 * sent once more, never twice: a 401 tells that it was not processed (an assumption: the documents do not show it).
 */
export async function send(
  request: OutgoingRequest,
  settings: Settings,
  deadline: Deadline,
  authorizer?: Authorizer,
): Promise<Answer> {
  let token = await authorizer?.token(deadline.signal);
  const answer = await attempt(request, settings, deadline, token);
  if (answer.response.status !== 401 || !authorizer || token === undefined) return answer;

  const refused = token;
  token = await authorizer.token(deadline.signal, refused);
  return token === refused ? answer : attempt(request, settings, deadline, token);
}

async function attempt(
  { url, method, headers, body }: OutgoingRequest,
  settings: Settings,
  deadline: Deadline,
  token: string | undefined,
): Promise<Answer> {
  deadline.signal.throwIfAborted();
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  deadline.sent = 'maybe';
  try {
    const { signal } = deadline;
    // Redirects are answers here: following one would send the body to an address that nobody named.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) };
    const response = await deadline.race(settings.fetch(url, init));
    deadline.sent = 'yes';
    const text = await deadline.race(response.text());
    return { response, text, secrets: token === undefined ? [] : [token] };
  } catch (error) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw connectionError(error, deadline);
  }
}

function connectionError(error: unknown, deadline: Deadline): ConnectionError {
  if (deadline.sent === 'yes') return new ConnectionError('The answer was cut off', 'yes', { cause: error });
  if (!neverLeft(error))
    return new ConnectionError('The connection was lost before an answer came', 'maybe', { cause: error });
  deadline.sent = 'no';
  return new ConnectionError('No connection could be made', 'no', { cause: error });
}

/** Codes of Node's resolver and sockets, undici and Bun for failures that come before a request can leave. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Whether the request certainly never left, by the codes in the chain of causes. */
export function neverLeft(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && connectCodes.has(current.code)) return true;
    current = current.cause;
  }
  return false;
}
