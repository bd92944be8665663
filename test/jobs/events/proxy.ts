import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between workers and their database, for a load balancer that changes its target or a network that drops packets. */
export interface Proxy {
  readonly port: number;
  /** Ends all connections, and connects to another port from now on. */
  switchTo(port: number): void;
  /** Drops all data in both directions without closing connections, or forwards it again on new connections. */
  silence(isSilent: boolean): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback. */
export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>();
  let port = target;
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    inside.on('error', () => undefined);
    // A connection that begins during the silence gets no upstream.
    if (isSilent) return;
    const outside = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pair: [Socket, Socket] = [inside, outside];
    pairs.add(pair);
    for (const [from, to] of [pair, [outside, inside] as const]) {
      from.on('data', (data) => {
        if (!isSilent) to.write(data);
      });
      from.on('end', () => {
        if (!isSilent) to.end();
      });
      from.on('error', () => {
        if (!isSilent) to.destroy();
      });
      from.on('close', () => {
        if (!isSilent) pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  return {
    port: address.port,
    switchTo(next) {
      port = next;
      cut();
    },
    silence(next) {
      isSilent = next;
      // Existing connections stay silent, because their lost packets do not return.
      if (!next) pairs.clear();
    },
    async close() {
      cut();
      server.close();
    },
  };
}
