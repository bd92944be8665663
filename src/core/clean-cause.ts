import { hide } from './errors/base.ts';
import type { Redactor } from './redact.ts';

/**
 * Copies what explains an error that somebody else made: name, message, code, frames of the stack, and the same of its causes.
 * The rest (requests, headers, sockets, bytes of the peer) stays behind.
 */
export function cleanCause(error: unknown, redactor: Redactor, depth = 0): Error | undefined {
  // Causes can form a circle.
  if (error === undefined || depth > 4) return undefined;
  const { clean, redact } = redactor;
  try {
    const { name = 'Error', message = error, code, cause, errors, stack }: Record<string, unknown> = Object(error);
    const inner = cleanCause(cause, redactor, depth + 1);
    const cleaned = new Error(clean(String(message)), inner && { cause: inner });
    hide(cleaned, 'name', clean(String(name)));
    if (typeof code === 'string') Object.assign(cleaned, { code: clean(code) });
    if (Array.isArray(errors)) {
      hide(
        cleaned,
        'errors',
        errors.slice(0, 5).map((one) => cleanCause(one, redactor, depth + 1)),
      );
    }
    const frames = String(stack).match(/\n +at .+/g) ?? [];
    hide(cleaned, 'stack', `${cleaned.name}: ${cleaned.message}${redact(frames.join(''))}`);
    return cleaned;
  } catch {
    // An error whose properties throw explains nothing.
    return undefined;
  }
}
