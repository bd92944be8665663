import { collectCommands } from './commands/collect.ts';
import { compareCommands } from './commands/compare.ts';
import type { Judge } from './verdict.ts';

/**
 * Commands with their options, exit codes and ready-made jobs, the tools for agents, and `llms.txt`, as the built
 * programs show them.
 */
export const commandsJudge: Judge = {
  surface: 'commands',
  async judge(base, next) {
    return compareCommands(await collectCommands(base.folder), await collectCommands(next.folder));
  },
};
