const { setTimeout: startReal, clearTimeout: stopReal } = globalThis;
/** Timers that the client has started and neither ended nor let fire. */
const open = new Set<unknown>();

/** The number of open timers since it was asked for last. */
export function countTimers(): number {
  const count = open.size;
  open.clear();
  return count;
}

/** Leaves the fake clock, installed before, to the client. Timers of others, such as Node's `fetch`, are real ones. */
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

/** The file that called the caller, without the stack as text: to make that is slow under vitest. */
function callerFile(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  Error.prepareStackTrace = (_, sites) => sites[2]?.getFileName() ?? '';
  const file = String(new Error().stack);
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return file;
}
