/** The command line cannot be understood; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the value of `--port`. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new UsageError(`--port is a whole number from 0 to 65535, not '${text}'.`);
  }
  return port;
}
