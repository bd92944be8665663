/** The callbacks for one signal, and the single listener that calls them. */
interface Followers {
  tells: Set<() => void>;
  listener: () => void;
}

const followers = /* @__PURE__ */ new WeakMap<EventTarget, Followers>();

/**
 * Calls a function when a signal is aborted, or immediately if it already is. All followers of a signal share one listener,
 * because Node warns about more than ten on signals of `AbortSignal.timeout` and `AbortSignal.any`.
 *
 * @returns a function that stops following the signal
 */
export function follow(signal: AbortSignal, tell: () => void): () => void {
  const { tells, listener } = followersOf(signal);
  if (tells.size === 0) signal.addEventListener('abort', listener);
  tells.add(tell);
  if (signal.aborted) tell();
  return () => {
    if (tells.delete(tell) && tells.size === 0) signal.removeEventListener('abort', listener);
  };
}

function followersOf(signal: AbortSignal): Followers {
  const known = followers.get(signal);
  if (known) return known;
  const tells = new Set<() => void>();
  const made: Followers = {
    tells,
    listener: () => {
      for (const tell of tells) tell();
    },
  };
  followers.set(signal, made);
  return made;
}
