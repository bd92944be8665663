import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SpreadingTokens } from './spreading-tokens.ts';

/** The service's behaviour for one request. */
export type PlannedResponse = {
  /** Whether the service processes the request before the fault. */
  process: boolean;
  how: 'answer' | 'empty' | 'null' | 'reset' | 'resetInBody' | 'halfBody' | 'cut' | 'stall' | 'stallInBody' | number;
};

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data": ';

/** After this head, the connection closes as after a complete response. */
const cutHead = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 100\r\n\r\n';

/** A loopback service that counts processed requests. Each created, changed or deleted thing has its own number. */
export class Service {
  readonly #server = createServer((incoming, response) => void this.#receive(incoming, response));
  readonly #responses = new Map<string, PlannedResponse[]>();
  readonly #deleted = new Set<string>();
  readonly processed = new Map<string, number>();
  /** Number of requests received. */
  received = 0;
  /** Number of unanswered requests whose client still waits. */
  stalled = 0;
  /** Issues and checks tokens, if clients have credentials. */
  tokens: SpreadingTokens | undefined;
  /** Called with each request received, after it was processed. */
  onReceived: () => void = () => undefined;

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** Sets the responses to the requests for a thing, in turn. Later requests are answered. */
  plan(thing: string, responses: readonly PlannedResponse[]): void {
    this.#responses.set(thing, [...responses]);
  }

  countOf(thing: string): number {
    return this.processed.get(thing) ?? 0;
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming).catch(() => undefined);
    // A request that was cut off does not count.
    if (body === undefined) return;
    const token = this.tokens?.answer(incoming.url);
    if (token !== undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(token);
    const thing = incoming.method === 'POST' ? String(JSON.parse(body).name) : (incoming.url?.split('/').pop() ?? '');
    const { authorization } = incoming.headers;
    const planned: PlannedResponse = this.tokens?.rejects(authorization)
      ? { process: false, how: 401 }
      : (this.#responses.get(thing)?.shift() ?? { process: true, how: 'answer' });
    this.tokens?.note(thing, authorization, planned.how === 401);
    const isGone = this.#deleted.has(thing);
    if (planned.process && !isGone) {
      this.processed.set(thing, this.countOf(thing) + 1);
      if (incoming.method === 'DELETE') this.#deleted.add(thing);
    }
    this.received += 1;
    this.onReceived();
    const { socket } = response;
    const { how } = planned;
    if (how === 'reset') socket?.resetAndDestroy();
    else if (how === 'resetInBody') socket?.write(head, () => socket.resetAndDestroy());
    else if (how === 'halfBody') socket?.end(head);
    else if (how === 'cut') socket?.end(cutHead);
    else if (how === 'empty' || how === 'null') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(how === 'null' ? '{"data":null}' : '');
    } else if (how === 'stall' || how === 'stallInBody') {
      this.stalled += 1;
      response.once('close', () => {
        this.stalled -= 1;
      });
      if (how === 'stallInBody') socket?.write(head);
    } else {
      const status = how === 'answer' ? (isGone ? 404 : 200) : how;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":{"id":1}}');
    }
  }
}
