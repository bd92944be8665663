import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Context } from './context.ts';
import { hasToken } from './http-token.ts';
import { createServer } from './server.ts';
import { createSession } from './session.ts';

/** URL path of the server. */
export const endpoint = '/mcp';
/** Maximum number of sessions. Clients of the older protocol version keep sessions. The least recently used session ends first. */
const maxSessions = 64;

interface Connected {
  server: McpServer;
  transport: WebStandardStreamableHTTPServerTransport;
}

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Serves both protocol versions over HTTP. Only programs on this machine can call the server. Requests from pages on other
 * origins are rejected, even if the host name of the page resolves to this machine.
 *
 * @param token - token that clients must send, so that other users of the machine cannot call the server; `undefined` permits
 * all programs
 */
export function createHttpHandler(context: Context, token: string | undefined): HttpHandler {
  // The newer protocol version has no sessions.
  const shared = { ...createSession(), isShared: true };
  const modern = createMcpHandler(() => createServer(context, shared), {
    legacy: 'reject',
    maxSubscriptions: maxSessions,
  });
  const sessions = new Map<string, Connected>();

  async function serveSession(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (id !== null) {
      if (!known) return reject(404, 'This session does not exist. Connect again.');
      keepRecent(sessions, id, known, maxSessions);
      return known.transport.handleRequest(request);
    }
    const session = createSession();
    const server = createServer(context, session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      async onsessioninitialized(created) {
        await keepRecent(sessions, created, { server, transport }, maxSessions)?.server.close();
      },
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  return {
    async fetch(request) {
      const rejection = hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? rejectOrigin(request);
      if (rejection) return closed(rejection);
      if (new URL(request.url).pathname !== endpoint)
        return reject(404, `This server responds only at the path ${endpoint}.`);
      if (token !== undefined && !hasToken(request, token)) return unauthorized();
      if (await isLegacyRequest(request)) return closed(await serveSession(request));
      return closed(await modern.fetch(request));
    },
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({ server }) => server.close())]);
    },
  };
}

/** Rejects a request from a page on another host than the host in the request. Programs send no origin. */
function rejectOrigin({ headers }: Request): Response | undefined {
  const origin = headers.get('origin');
  if (origin === null) return undefined;
  const isOwn = URL.canParse(origin) && new URL(origin).host === headers.get('host');
  return isOwn ? undefined : reject(403, 'Pages from other origins cannot use this server.');
}

function unauthorized(): Response {
  const response = reject(
    401,
    'Send the token of this server: Authorization: Bearer <token>. When the server starts, it prints the path of the file with the token.',
  );
  response.headers.set('www-authenticate', 'Bearer');
  return response;
}

function reject(status: number, message: string): Response {
  return closed(Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status }));
}

/** If this header were missing, our HTTP server would let pages from any origin read the response. */
function closed(response: Response): Response {
  response.headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

/** Puts an entry last, and removes the first entry if there are too many. Returns the removed entry. */
function keepRecent<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): Value | undefined {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries;
  if (entries.size <= most || !oldest) return undefined;
  entries.delete(oldest[0]);
  return oldest[1];
}
