import type { Command } from 'commander';
import { readNumber } from '../command-line.ts';

/** Address of a server. */
export interface ListenOptions {
  port: number;
  host: string;
}

/** The options as a user types them. */
export interface ListenFlags {
  port?: string;
  host?: string;
}

const defaultHost = '127.0.0.1';

/** Adds `--port` and `--host` to a command. */
export function addListenOptions(command: Command, defaultPort: number): Command {
  return command
    .option('-p, --port <number>', `port; 0 selects any free port (default ${defaultPort})`)
    .option('--host <name>', `address to listen on (default ${defaultHost}: this machine only)`);
}

/**
 * Reads `--port` and `--host`.
 *
 * @throws `UsageError` if the port is invalid
 */
export function readListenOptions({ port, host }: ListenFlags, defaults: Partial<ListenOptions>): ListenOptions {
  return {
    port: port === undefined ? (defaults.port ?? 0) : parsePort(port),
    // An unset variable in a script results in an empty string.
    host: host || (defaults.host ?? defaultHost),
  };
}

/** Whether only this machine can reach a server on this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function parsePort(text: string): number {
  return readNumber(text, 'port', { whole: true, min: 0, max: 65_535 });
}
