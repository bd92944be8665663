import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parsePort, UsageError } from '../../src/bin/usage.ts';

export interface ListenOptions {
  port: number;
  host: string;
  help: boolean;
}

/** What a program that listens says of itself. */
export interface Program {
  /** As a user types it: `npm run mock`. */
  command: string;
  port: number;
  host: string;
}

const options = {
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/** Reads `--port`, `--host` and `--help`. */
export function parseListenOptions(args: string[], program: Program): ListenOptions {
  const { port, host, help = false } = parse(args, program);
  return { port: port === undefined ? program.port : parsePort(port), host: host || program.host, help };
}

/** The part of a program's `--help` on these options. */
export function describeListenOptions({ command, port, host }: Program): string {
  return `Usage: ${command} -- [options]

  -p, --port <number>  the port; 0 takes any free one (default ${port})
      --host <name>    the address to listen on (default ${host}: this machine only)
  -h, --help           this text`;
}

function parse(args: string[], { command, port }: Program): { port?: string; host?: string; help?: boolean } {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What follows Node's first sentence is about positional arguments, and there are none here.
    const [reason] = error.message.split(/[.\n]/);
    throw new UsageError(
      `${reason}. There are --port, --host and --help; npm hands them on after --, as in: ${command} -- --port ${port + 1}`,
    );
  }
}
