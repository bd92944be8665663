/** Exit codes by kind of failure. Scripts rely on them, so they never change. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  configuration: 3,
  authentication: 4,
  notFound: 5,
  refused: 6,
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
  usage: 'wrong use: an unknown or missing option, or a value that cannot be sent',
  configuration: 'credentials or configuration are missing or not valid',
  authentication: 'the service refused the credentials (401, 403), or gave no token',
  notFound: 'the service found no such record (404)',
  refused: 'the service refused the request',
  quota: 'too many requests (429)',
  service: 'the service failed (5xx), or its response cannot be read',
  connection: 'no response: connection lost, or deadline passed',
  unconfirmed: 'not confirmed: a person did not answer y, or could not be asked',
  incomplete: 'a list is not complete, or rows of a file were not done',
  interrupted: 'interrupted with Ctrl+C',
};

/** The command cannot run until the user changes something on this machine. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** A call that asks first was not confirmed. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError';
}

/** The service refused a request that is not documented. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A request that is not documented got no response. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/** A list ended below its total. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
}
