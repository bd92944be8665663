/** The server cannot listen on its address. The message says how to fix it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const advice: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port with --port (0 selects any free port).`,
  EACCES: (_host, port) =>
    `You have no permission to use port ${port}. Choose a port above 1023 with --port (0 selects any free port).`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine. Choose another address with --host.`,
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved. Choose another host with --host.`,
};

/** Converts an error of `node:net` to a `ListenError`. Returns other errors unchanged. */
export function toListenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const explain = advice[code];
  return explain ? new ListenError(explain(host, port), { cause: error }) : error;
}
