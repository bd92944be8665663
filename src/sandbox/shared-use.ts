/** Resources that the worlds of a sandbox share, so that many worlds need no more memory than one can. */
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

/** Maximum number of waiting requests in all worlds together. */
export const maxWaiting = 1_000;
/** Maximum number of waiting requests in one of several worlds. */
export const maxWaitingOfOne = 100;

/**
 * Maximum bytes of a body if several users share a server. It is several times the largest documented body. Larger ones make others
 * wait: parsing takes longer, and Node keeps a text of more than 1,031,913 bytes outside of V8's heap, so that 60 of them are enough
 * for a collection of the garbage of the whole heap.
 */
export const maxSharedBody = 1_000_000;
