import { messageOf } from '../../src/shared/message-of.ts';

/** A command of a program. Takes its own arguments and resolves to the exit code. */
export type Command = (args: string[]) => Promise<number>;

/** Commands by name, each loaded on demand. */
export type Commands = Record<string, () => Promise<Command>>;

/**
 * Runs the command that the first argument names.
 *
 * @param program - what the user types before the name
 */
export async function dispatch(program: string, commands: Commands, args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return (await load())(rest);
  console.error(`Usage: ${program} <${Object.keys(commands).join(' | ')}> [options]`);
  return 2;
}

/**
 * Runs a command. If it throws, prints the reason.
 *
 * @param failure - summary of the failure, such as 'Nothing was measured'
 */
export async function reportFailure(failure: string, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    console.error(`${failure}: ${messageOf(error)}`);
    return 1;
  }
}
