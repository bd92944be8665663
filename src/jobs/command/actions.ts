import { cancel, forget, pause, remove, resume, retry, set, status, wait, workers } from './control.ts';
import { problems } from './problems.ts';
import { results, show } from './results.ts';
import { run } from './run.ts';
import type { SubcommandName } from './subcommands.ts';
import { unsent } from './unsent-rows.ts';
import { work } from './work.ts';

/** Runs a subcommand with its parsed options and arguments. Resolves to the exit code. */
type Run = (options: object, args: string[]) => Promise<number>;

export const actions: Record<SubcommandName, Run> = {
  run,
  work,
  status,
  wait,
  workers,
  pause,
  resume,
  set,
  cancel,
  forget,
  remove,
  results,
  problems,
  show,
  retry,
  unsent,
};
