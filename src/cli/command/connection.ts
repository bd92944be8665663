import type { Middleware } from 'carillon';
import { readNumber } from '../../shared/command-line.ts';
import { type Connection, connect } from '../catalogue/connect.ts';
import type { CallFlags } from './call-options.ts';
import type { Io } from './io.ts';

/** Call options that concern the connection. */
export type ConnectionFlags = Pick<CallFlags, 'sandbox' | 'timeout' | 'debug' | 'debugBodies' | 'quiet'> & {
  /** Middleware that receives response bodies. */
  recorder?: Middleware;
};

/**
 * Returns an environment that writes no notes if `--quiet` was passed. Use the original environment for questions and
 * failures.
 */
export function quietly(io: Io, { quiet = false }: ConnectionFlags): Io {
  return quiet ? { ...io, note() {} } : io;
}

/** Connects to the service, or to an embedded sandbox. */
export async function connectByFlags(flags: ConnectionFlags, io: Io): Promise<Connection> {
  const notes = quietly(io, flags);
  const connection = await (io.connect ?? connect)({
    sandbox: flags.sandbox === true,
    env: io.env,
    options: {
      ...readTimeout(flags),
      ...(await debugOptions(flags, io)),
      logger: { warn: (message) => notes.note(`${message}\n`) },
    },
  });
  if (connection.isSandbox) notes.note('Sandbox: nothing reaches the service. Each command has its own sandbox.\n');
  return connection;
}

async function debugOptions({ debug, debugBodies = false, recorder }: ConnectionFlags, io: Io) {
  const middleware = recorder ? [recorder] : [];
  if (debug || debugBodies) {
    const { createDebug } = await import('./debug.ts');
    middleware.push(createDebug(io, debugBodies));
  }
  return { middleware, showBodies: middleware.length > 0 && (debugBodies || recorder !== undefined) };
}

function readTimeout({ timeout }: ConnectionFlags): { timeout?: number } {
  if (timeout === undefined) return {};
  return { timeout: readNumber(timeout, 'timeout', { kind: 'number of seconds', above: 0, max: 86_400 }) * 1000 };
}
