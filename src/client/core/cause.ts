import type { Redactor } from './redact.ts';

/** Maximum depth of causes, which can be circular. */
const maxDepth = 5;

/** An error, as passed to hooks: plain data, which a logger can serialize. */
export interface HookError {
  /** Name of the error, such as `NotFoundError`. */
  readonly name: string;
  /** Message, without the credential. */
  readonly message: string;
  /** Code of the service or of the platform, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** HTTP status of a response. */
  readonly status?: number;
  /** Stack frames. */
  readonly stack?: string;
  /** The error that caused this error. */
  readonly cause?: HookError;
}

/**
 * Copies the parts of an error that hooks may see. The error can be any value, such as an abort reason, but must not contain a
 * credential.
 *
 * @internal
 */
export function describeError(error: unknown, depth = 0): HookError {
  if (typeof error !== 'object' || error === null) return { name: typeof error, message: String(error) };
  const { name, message, code, status, stack, cause } = membersOf(error);
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && depth < maxDepth && { cause: describeError(cause, depth + 1) }),
  };
}

/** Reads the properties of an error, including inherited properties. An abort reason can have getters that throw. */
function membersOf(error: object): Record<string, unknown> {
  const names = ['name', 'message', 'code', 'status', 'stack', 'cause'];
  try {
    return Object.fromEntries(names.map((name) => [name, Reflect.get(error, name)]));
  } catch {
    return {};
  }
}

/** Maximum number of errors copied from one error and its causes. Enough for a host with several addresses. */
const maxErrors = 10;
/** Maximum number of errors copied from an `AggregateError`. */
const maxOfOne = 5;
/** Number of characters read from the end of a stack. The frames follow the message, which can have any length. */
const maxStackLength = 10_000;

/**
 * The message for a value that is not an error. For an object without a message, such as MSW's `Response`, it states the type.
 */
function causeText(value: unknown): unknown {
  return typeof value === 'object' ? `The cause has type ${Object.prototype.toString.call(value).slice(8, -1)}` : value;
}

/**
 * Copies the name, message, code, stack frames and causes of a third-party error. Omits everything else, such as requests,
 * headers, sockets and received bytes.
 *
 * @internal
 */
export function cleanCause(error: unknown, redactor: Redactor): Error | undefined {
  let copied = 0;
  const clean = (value: unknown): string => redactor.clean(String(value));

  function copy(error: unknown, depth: number): Error | undefined {
    if (!error || depth === maxDepth || copied === maxErrors) return undefined;
    copied += 1;
    const next = (inner: unknown): Error | undefined => copy(inner, depth + 1);
    try {
      const {
        name = 'Error',
        message = causeText(error),
        code,
        cause,
        errors,
        stack,
      }: Record<string, unknown> = Object(error);
      const cleaned = new Error(clean(message), cause ? { cause: next(cause) } : undefined);
      const cleanName = clean(name);
      const frames =
        String(stack)
          .slice(-maxStackLength)
          .match(/\n +at .+/g) ?? [];
      return Object.assign(cleaned, {
        name: cleanName,
        ...(typeof code === 'string' && { code: clean(code) }),
        ...(Array.isArray(errors) && { errors: errors.slice(0, maxOfOne).map(next).filter(Boolean) }),
        stack: `${cleanName}: ${cleaned.message}${redactor.redact(frames.join(''))}`,
      });
    } catch {
      // Omit an error with a property that throws.
      return undefined;
    }
  }
  return copy(error, 0);
}
