/** The server cannot listen on its address; the message says what to do about it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const advice: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port with --port (0 takes any free one).`,
  EACCES: (_host, port) =>
    `Port ${port} may not be used by this user. Choose a port above 1023 with --port (0 takes any free one).`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine. Choose one that is with --host.`,
  ENOTFOUND: (host) => `The host name ${host} is not known. Choose another with --host.`,
};

/** Turns an error of node:net into a ListenError; other errors are returned unchanged. */
export function toListenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const explain = advice[code];
  return explain ? new ListenError(explain(host, port), { cause: error }) : error;
}
