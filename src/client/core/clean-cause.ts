import type { Redactor } from './redact.ts';

/** Maximum number of errors copied from one error and its causes. Enough for a host with several addresses. */
const maxErrors = 10;
/** Maximum depth of causes, which can be circular. */
const maxDepth = 5;
/** Maximum number of errors copied from an `AggregateError`. */
const maxOfOne = 5;
/** Number of characters read from the end of a stack. The frames follow the message, which can have any length. */
const maxStackLength = 10_000;

/**
 * Copies the name, message, code, stack frames and causes of a third-party error. Omits everything else, such as requests,
 * headers, sockets and received bytes.
 */
export function cleanCause(error: unknown, redactor: Redactor): Error | undefined {
  let copied = 0;
  const clean = (value: unknown): string => redactor.clean(String(value));

  function copy(error: unknown, depth: number): Error | undefined {
    if (!error || depth === maxDepth || copied === maxErrors) return undefined;
    copied += 1;
    const next = (inner: unknown): Error | undefined => copy(inner, depth + 1);
    try {
      const { name = 'Error', message = error, code, cause, errors, stack }: Record<string, unknown> = Object(error);
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
      // Omit an error whose properties throw.
      return undefined;
    }
  }
  return copy(error, 0);
}
