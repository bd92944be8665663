/** What the worlds of a sandbox use together, so that many worlds need no more memory than one may. */
export class SharedUse {
  /** Requests that wait because of a fault with a delay. */
  waiting = 0;
  /** Whether one world may use all of it. */
  readonly isPrivate: boolean;

  constructor(isPrivate = true) {
    this.isPrivate = isPrivate;
  }

  /** Characters of all faults as JSON. */
  faultSize = 0;
}

/** How many requests may wait at a time, in all worlds together. */
export const mostWaiting = 1_000;
/** How many may wait in one of several worlds. */
export const mostWaitingOfOne = 100;
