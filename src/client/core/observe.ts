import type { Middleware } from './hooks.ts';
import type { Logger } from './options.ts';

/** Runs an observer, such as a hook or the logger. Its errors do not change the outcome of the call. */
export async function observe(action: () => unknown, logger?: Logger, hook?: keyof Middleware): Promise<void> {
  try {
    await action();
  } catch {
    logger?.warn(`carillon: ${hook} of a middleware failed; the call goes on`);
  }
}
