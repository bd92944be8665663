/** What one command of a program does with its own arguments. Resolves to the exit code. */
export type Command = (args: string[]) => Promise<number>;

/** Loads a command on demand, so that no command waits for what another one needs. */
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
 * Runs a command. Prints why it failed, if it fails.
 *
 * @param failure - what did not happen, such as 'Nothing was measured'
 */
export async function reportFailure(failure: string, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    console.error(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
