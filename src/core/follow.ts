/** What is to be told of the abort of one signal. */
class Followers extends Set<() => void> {
  handleEvent(): void {
    for (const tell of this) tell();
  }
}

const followers = /* @__PURE__ */ new WeakMap<AbortSignal, Followers>();

/**
 * Calls a function when a signal is aborted, over one listener for all that follow the signal: Node warns of more than ten
 * on signals of `AbortSignal.timeout` and `AbortSignal.any`.
 *
 * @returns a function that ends it
 */
export function follow(signal: AbortSignal, tell: () => void): () => void {
  const set = followers.get(signal) ?? new Followers();
  if (set.size === 0) {
    followers.set(signal, set);
    signal.addEventListener('abort', set);
  }
  set.add(tell);
  return () => {
    set.delete(tell);
    if (set.size === 0) signal.removeEventListener('abort', set);
  };
}
