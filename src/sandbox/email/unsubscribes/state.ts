export interface UnsubscribesState {
  /** Entries by address in lower case. */
  unsubscribed: Map<string, UnsubscribedEntry>;
  /** Times of the resubscription requests that may still count towards the quota. */
  resubscriptions: number[];
}

export interface UnsubscribedEntry {
  email: string;
  /** Not part of any reply. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

export function emptyUnsubscribes(): UnsubscribesState {
  return { unsubscribed: new Map(), resubscriptions: [] };
}

/** Adds an unsubscribed address to the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesState, email: string, at: number): void {
  unsubscribed.set(email, { email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
