/**
 * Makes the stack trace of an error begin at the current line, or at the caller of a function, if the engine supports it. Engines
 * include the lines that await the current function.
 *
 * @param called - function whose caller comes first, if the function is on the stack
 */
export function retrace(error: Error, called?: (...args: never) => unknown): void {
  if (typeof Error.captureStackTrace !== 'function') return;
  const { stack } = error;
  Error.captureStackTrace(error, called);
  // Keep the original trace for pages of a list, which are requested when the function is no longer on the stack.
  if (!error.stack?.includes('\n')) Object.defineProperty(error, 'stack', { value: stack });
}
