import type { Redactor } from './redact.ts';

/** Errors that are copied of one error, its causes and what they hold: enough for a host with several addresses. */
const mostErrors = 10;
/** Causes of causes. They can form a circle. */
const mostDepth = 5;
/** Errors that are copied of an `AggregateError`. */
const mostOfOne = 5;
/** Characters at the end of a stack that are read. The message, of any length, comes before the frames. */
const longestStack = 10_000;

/**
 * Copies what explains an error that somebody else made: name, message, code, frames of the stack, and the same of its causes.
 * The rest (requests, headers, sockets, bytes of the peer) stays behind.
 */
export function cleanCause(error: unknown, redactor: Redactor): Error | undefined {
  let copied = 0;
  const clean = (value: unknown): string => redactor.clean(String(value));

  function copy(error: unknown, depth: number): Error | undefined {
    if (!error || depth === mostDepth || copied === mostErrors) return undefined;
    copied += 1;
    const next = (inner: unknown): Error | undefined => copy(inner, depth + 1);
    try {
      const { name = 'Error', message = error, code, cause, errors, stack }: Record<string, unknown> = Object(error);
      const cleaned = new Error(clean(message), cause ? { cause: next(cause) } : undefined);
      const cleanName = clean(name);
      const frames =
        String(stack)
          .slice(-longestStack)
          .match(/\n +at .+/g) ?? [];
      return Object.assign(cleaned, {
        name: cleanName,
        ...(typeof code === 'string' && { code: clean(code) }),
        ...(Array.isArray(errors) && { errors: errors.slice(0, mostOfOne).map(next).filter(Boolean) }),
        stack: `${cleanName}: ${cleaned.message}${redactor.redact(frames.join(''))}`,
      });
    } catch {
      // An error whose properties throw explains nothing.
      return undefined;
    }
  }
  return copy(error, 0);
}
