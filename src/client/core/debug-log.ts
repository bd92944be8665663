import type { CallState } from './call-state.ts';
import { CarillonError } from './errors/base.ts';
import type { LogFields, Logger } from './options.ts';

/** Default logger of a client. `CARILLON_LOG=debug` adds a line for each try. */
export function consoleLogger(): Logger {
  const warn = (message: string): void => console.warn(message);
  try {
    if (Reflect.get(globalThis, 'process').env.CARILLON_LOG === 'debug') return { warn, debug: warn };
  } catch {
    // There is no environment, or no permission to read it, as in Deno.
  }
  return { warn };
}

/** Log line of a try. It contains only the operation, numbers and the names of our own errors, and therefore no credentials. */
export function tryLine({ label, status, tries, error }: CallState, duration: number, wait = 0): string {
  const outcome = error instanceof CarillonError ? error.name : (status ?? 'no answer');
  return `carillon: ${label}: ${outcome} in ${duration.toFixed()} ms, try ${tries}, wait ${wait.toFixed()} ms`;
}

/** The same data as fields. */
export function tryFields({ operationId, status, tries }: CallState, duration: number): LogFields {
  return { operationId, ...(status !== undefined && { status }), milliseconds: Math.round(duration), tries };
}
