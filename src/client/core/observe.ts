import type { Middleware } from './hooks.ts';
import type { Logger } from './options.ts';

/** Runs what only observes, a hook or the logger: whatever it does, the outcome of the call stays. */
export async function observe(action: () => unknown, logger?: Logger, hook?: keyof Middleware): Promise<void> {
  try {
    await action();
  } catch {
    logger?.warn(`carillon: ${hook} of a middleware failed; the call goes on`);
  }
}
