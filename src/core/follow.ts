const followers = /* @__PURE__ */ new WeakMap<EventTarget, Set<() => void>>();

function tellAll(this: AbortSignal): void {
  for (const tell of followers.get(this) ?? []) tell();
}

/**
 * Calls a function when a signal is aborted, or at once if it was before, over one listener for all that follow the signal: Node warns of more than ten
 * on signals of `AbortSignal.timeout` and `AbortSignal.any`.
 *
 * @returns a function that ends it
 */
export function follow(signal: AbortSignal, tell: () => void): () => void {
  const set = followers.get(signal) ?? new Set();
  followers.set(signal, set.add(tell));
  signal.addEventListener('abort', tellAll);
  if (signal.aborted) tell();
  return () => {
    set.delete(tell);
    if (set.size === 0) signal.removeEventListener('abort', tellAll);
  };
}
