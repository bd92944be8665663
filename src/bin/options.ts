import { parseArgs } from 'node:util';
import { parsePort, UsageError } from './usage.ts';

export interface Options {
  port: number;
  host: string;
  /** Records beside the small data set. */
  seed: number;
  /** Whether it is controlled over HTTP. */
  control: boolean;
  help: boolean;
}

const defaults = { port: 4012, host: '127.0.0.1' };

/**
 * Reads the command line.
 *
 * @param command - as a user types it, up to its options
 */
export function parseOptions(command: string, args: string[]): Options {
  const { port, host = defaults.host, seed, control, help = false } = parse(command, args);
  return {
    port: port === undefined ? defaults.port : parsePort(port),
    host,
    seed: seed === undefined ? 0 : parseSeed(seed),
    control: control ?? isLoopback(host),
    help,
  };
}

export function describeOptions(command: string): string {
  return `Serves a sandbox of the whole API: stateful, and with the rules of the documents.

Usage: ${command} [options]

  -p, --port <number>  the port; 0 takes any free one (default ${defaults.port})
      --host <name>    the address to listen on (default ${defaults.host}: this machine only)
      --seed <number>  contacts, emails and the like beside the small data set (default 0)
      --[no-]control   whether requests below /__sandbox/ control it; by default they do on this machine only
  -h, --help           this text`;
}

/** Whether only this machine can reach a server on this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

interface Given {
  port?: string;
  host?: string;
  seed?: string;
  control?: boolean;
  help?: boolean;
}

function parse(command: string, args: string[]): Given {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        port: { type: 'string', short: 'p' },
        host: { type: 'string' },
        seed: { type: 'string' },
        control: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What follows Node's first sentence is about positional arguments, and there are none here.
    const [reason] = error.message.split(/[.\n]/);
    throw new UsageError(
      `${reason}. There are --port, --host, --seed, --control and --help, as in: ${command} --port ${defaults.port + 1}`,
    );
  }
}

function parseSeed(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`--seed is a whole number of records, not '${text}'.`);
  return Number(text);
}
