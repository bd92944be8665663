import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';

/** Answers a request that has been read. */
export type Handle = (incoming: Incoming) => Promise<Reply>;

const handlers = new WeakMap<object, Handle>();

/** For whoever makes a sandbox. */
export function setHandler(sandbox: object, handle: Handle): void {
  handlers.set(sandbox, handle);
}

/** What a server of ours asks: `fetch` has to make a `Response`, which such a server would have to read again. */
export function handlerOf(sandbox: object): Handle {
  const handle = handlers.get(sandbox);
  if (!handle) throw new TypeError('handlerOf takes what createSandbox has made');
  return handle;
}
