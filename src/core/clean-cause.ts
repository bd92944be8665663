import type { Redactor } from './redact.ts';

/**
 * Copies what explains an error that somebody else made: name, message, code, frames of the stack, and the same of its causes.
 * The rest (requests, headers, sockets, bytes of the peer) stays behind.
 */
export function cleanCause(error: unknown, redactor: Redactor, depth = 0): Error | undefined {
  // Causes can form a circle.
  if (!error || depth > 4) return undefined;
  const clean = (value: unknown): string => redactor.clean(String(value));
  const next = (inner: unknown): Error | undefined => cleanCause(inner, redactor, depth + 1);
  try {
    const { name = 'Error', message = error, code, cause, errors, stack }: Record<string, unknown> = Object(error);
    const cleaned = new Error(clean(message), cause ? { cause: next(cause) } : undefined);
    const frames = String(stack).match(/\n +at .+/g) ?? [];
    return Object.assign(cleaned, {
      name: clean(name),
      ...(typeof code === 'string' && { code: clean(code) }),
      ...(Array.isArray(errors) && { errors: errors.slice(0, 5).map(next) }),
      stack: `${clean(name)}: ${cleaned.message}${redactor.redact(frames.join(''))}`,
    });
  } catch {
    // An error whose properties throw explains nothing.
    return undefined;
  }
}
