const { setTimeout: startReal, clearTimeout: stopReal } = globalThis;
/** Timers of the client that neither fired nor were cleared. */
const open = new Set<unknown>();

/** Returns and resets the number of open timers. */
export function countTimers(): number {
  const count = open.size;
  open.clear();
  return count;
}

/** Applies the fake clock only to the client. Timers of other code, such as Node's `fetch`, are real. */
export function watchTimers(): void {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const watched = (callback: (...values: unknown[]) => void, delay?: number, ...values: unknown[]): unknown => {
    if (!callerFile().includes('/src/client/core/')) return startReal(callback, delay, ...values);
    const id: unknown = start(() => {
      open.delete(id);
      callback();
    }, delay);
    open.add(id);
    return id;
  };
  Reflect.set(globalThis, 'setTimeout', watched);
  globalThis.clearTimeout = (id) => (open.delete(id) ? stop(id) : stopReal(id));
}

/** Returns the file of the caller's caller. Does not format the stack, which is slow under Vitest. */
function callerFile(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  Error.prepareStackTrace = (_, sites) => sites[2]?.getFileName() ?? '';
  const file = String(new Error().stack);
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return file;
}
