import { collectCommands } from './commands/collect.ts';
import { compareCommands } from './commands/compare.ts';
import type { Judge } from './verdict.ts';

/** Commands with their options, exit codes and ready-made jobs, the tools for agents, and `llms.txt`: read from the built programs. */
export const commandsJudge: Judge = {
  surface: 'commands',
  async judge(base, next) {
    return compareCommands(await collectCommands(base.folder), await collectCommands(next.folder));
  },
};
