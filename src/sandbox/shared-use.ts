/** What the worlds of a sandbox use together, so that many worlds need no more memory than one may. */
export class SharedUse {
  /** Requests that wait because of a fault with a delay. */
  waiting = 0;
  /** Characters of all faults as JSON. */
  faultSize = 0;
}

/** How many requests may wait at a time, in all worlds together. */
export const mostWaiting = 1_000;
