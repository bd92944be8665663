/** An error, as passed to hooks: frozen plain data, which a logger can serialize. */
export interface HookError {
  /** Name, such as `NotFoundError`. */
  readonly name: string;
  /** Message, without the credential. */
  readonly message: string;
  /** Code of the service or of the platform, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** HTTP status of an answer. */
  readonly status?: number;
  /** Stack frames. */
  readonly stack?: string;
  /** The error that led to it. */
  readonly cause?: HookError;
}

const deepest = 5;

/**
 * Copies the parts of an error that hooks may see. The error must not contain a credential. It can be any value, such as the
 * reason of an abort.
 */
export function describeError(error: unknown, depth = 0): HookError {
  if (typeof error !== 'object' || error === null) return Object.freeze({ name: typeof error, message: String(error) });
  const { name, message, code, status, stack, cause } = membersOf(error);
  return Object.freeze({
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && depth < deepest && { cause: describeError(cause, depth + 1) }),
  });
}

/** Reads the properties of an error, including inherited ones. The reason of an abort can have getters that throw. */
function membersOf(error: object): Record<string, unknown> {
  const names = ['name', 'message', 'code', 'status', 'stack', 'cause'];
  try {
    return Object.fromEntries(names.map((name) => [name, Reflect.get(error, name)]));
  } catch {
    return {};
  }
}
