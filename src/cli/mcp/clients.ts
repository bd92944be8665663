import { keepRecent } from './keep-recent.ts';
import { createSession, type Session } from './session.ts';

/** Maximum number of clients that are remembered. */
const maxClients = 64;
/** Number of request IDs of a client that are remembered. IDs of one connection are distinct. */
const maxIds = 1_000;

/** A client by its declared name and version. */
interface Client {
  /** Number of connections that began. */
  connections: number;
  readonly ids: Set<number>;
  /** The session of its requests, while one connection sends them all. */
  readonly own: Session;
  /** The session of its requests if several connections may send them. */
  readonly shared: Session;
}

/**
 * Sessions of clients of the newer protocol version over HTTP, which has none of its own. A client is what declares a name
 * with the token of the server. Several agents of one application declare the same name, so a session belongs to a client only
 * as long as everything looks like a single connection: one discovery, and numbers as request IDs, none of them twice. After that, its requests do
 * not wait for each other, and are not told of each other's calls.
 */
export class Clients {
  readonly #clients = new Map<string, Client>();
  readonly #hasToken: boolean;

  /** @param hasToken - whether clients send a token. Without one, any program of the machine can declare a name. */
  constructor(hasToken: boolean) {
    this.#hasToken = hasToken;
  }

  /** A connection begins. */
  begin(declared: unknown): void {
    this.#find(declared).connections += 1;
  }

  /** The session of a request. */
  sessionOf(declared: unknown, id: string | number): Session {
    const client = this.#find(declared);
    // A request with the ID of an earlier one comes from another connection. Only numbers, which clients count up, show that.
    if (typeof id !== 'number' || client.ids.has(id)) client.connections = Number.POSITIVE_INFINITY;
    else client.ids.add(id);
    for (const oldest of client.ids) if (client.ids.size > maxIds) client.ids.delete(oldest);
    return this.#hasToken && client.connections === 1 ? client.own : client.shared;
  }

  #find(declared: unknown): Client {
    const key = JSON.stringify(declared) ?? '';
    // A second connection that skips discovery, and numbers its requests otherwise, looks like the first one.
    const own = { ...createSession(), needsHandle: true };
    const created = { connections: 0, ids: new Set<number>(), own, shared: { ...own, isShared: true } };
    const client = this.#clients.get(key) ?? created;
    keepRecent(this.#clients, key, client, maxClients);
    return client;
  }
}
