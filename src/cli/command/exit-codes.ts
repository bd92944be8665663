/** Exit codes by kind of failure. Scripts rely on these codes, so they never change. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  configuration: 3,
  authentication: 4,
  notFound: 5,
  rejected: 6,
  quota: 7,
  service: 8,
  connection: 9,
  unconfirmed: 10,
  incomplete: 11,
  interrupted: 130,
} as const;

/** Meanings of the codes, for help and docs. */
export const exitTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  unexpected: 'unexpected failure',
  usage: 'usage error: an unknown or missing option, or a value that cannot be sent',
  configuration: 'credentials or configuration are missing or invalid',
  authentication: 'the service rejected the credentials (401, 403), or returned no token',
  notFound: 'the service found no such record (404)',
  rejected: 'the service rejected the request',
  quota: 'too many requests (429)',
  service: 'the service failed (5xx), or its response cannot be read',
  connection: 'no response: the connection was lost, or the deadline passed',
  unconfirmed: 'not confirmed: a person did not answer "y", or could not be asked',
  incomplete: 'a list is incomplete, or some rows of a file were not completed',
  interrupted: 'interrupted with Ctrl+C',
};

/** Returns the exit code for the HTTP status of a failed response. */
export function codeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 404) return exitCodes.notFound;
  if (status === 429) return exitCodes.quota;
  return status >= 500 ? exitCodes.service : exitCodes.rejected;
}

/** Ends the command with an exit code. The message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
