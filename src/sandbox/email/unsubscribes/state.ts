export interface UnsubscribesState {
  /** By address in lower case. */
  unsubscribed: Map<string, UnsubscribedEntry>;
  /** When resubscriptions were requested: those that can still count for the quota. */
  resubscriptions: number[];
}

export interface UnsubscribedEntry {
  email: string;
  /** No reply shows it. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

export function emptyUnsubscribes(): UnsubscribesState {
  return { unsubscribed: new Map(), resubscriptions: [] };
}

/** Unsubscribes an address in the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesState, email: string, at: number): void {
  unsubscribed.set(email, { email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
