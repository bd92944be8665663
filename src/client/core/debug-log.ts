import type { CallState } from './call-state.ts';
import { CarillonError } from './errors/base.ts';
import type { LogFields, Logger } from './options.ts';

/** The logger of a client that was given none. `CARILLON_LOG=debug` adds the lines of tries. */
export function consoleLogger(): Logger {
  const warn = (message: string): void => console.warn(message);
  try {
    if (Reflect.get(globalThis, 'process').env.CARILLON_LOG === 'debug') return { warn, debug: warn };
  } catch {
    // There is no environment, or it may not be read, as in Deno.
  }
  return { warn };
}

/** The line of a try: the operation, numbers and names of our own errors, so that no credential can be in it. */
export function tryLine({ label, status, tries, error }: CallState, duration: number, wait = 0): string {
  const outcome = error instanceof CarillonError ? error.name : (status ?? 'no answer');
  return `carillon: ${label}: ${outcome} in ${duration.toFixed()} ms, try ${tries}, wait ${wait.toFixed()} ms`;
}

/** The same facts as fields. */
export function tryFields({ operationId, status, tries }: CallState, duration: number): LogFields {
  return { operationId, ...(status !== undefined && { status }), milliseconds: Math.round(duration), tries };
}
