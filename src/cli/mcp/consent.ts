import { createHash, randomUUID } from 'node:crypto';
import { isRecord } from '../../shared/is-record.ts';
import type { Params } from '../catalogue/index.ts';

/** Number of milliseconds for which a question is valid. */
export const consentMilliseconds = 600_000;
const maxOpen = 1_000;

interface OpenConsent {
  digest: string;
  expires: number;
  method: string;
  /** Identifies the session that asked. */
  owner: object | undefined;
}

/** Reason why an answer does not count as consent to a call. */
export type Invalid = 'unknown' | 'expired' | 'other';

/**
 * The open questions. Each question is about calls to one method with specific parameters, and can be answered once. The
 * server stores the questions, so that clients cannot invent a question.
 */
export class Consents {
  readonly #open = new Map<string, OpenConsent>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Opens a question about calls. Returns the ID of the question, which cannot be guessed. */
  open(method: string, calls: readonly Params[], owner?: object): string {
    const now = this.#now();
    for (const [id, { expires }] of this.#open) if (expires <= now || this.#open.size >= maxOpen) this.#open.delete(id);
    const id = randomUUID();
    this.#open.set(id, { digest: digestOf(method, calls), expires: now + consentMilliseconds, method, owner });
    return id;
  }

  /** Counts an owner's open questions about a method. */
  count(method: string, owner: object): number {
    const now = this.#now();
    return [...this.#open.values()].filter((one) => one.owner === owner && one.method === method && one.expires > now)
      .length;
  }

  /** Ends a question. Returns the reason if an answer to the question does not count as consent to these calls. */
  use(id: string, method: string, calls: readonly Params[]): Invalid | undefined {
    const question = this.#open.get(id);
    // An invalid use also ends the question.
    this.#open.delete(id);
    if (!question) return 'unknown';
    if (question.expires <= this.#now()) return 'expired';
    return question.digest === digestOf(method, calls) ? undefined : 'other';
  }
}

/** Returns a digest of calls. The order of fields does not matter. */
export function digestOf(method: string, calls: readonly Params[]): string {
  return createHash('sha256')
    .update(JSON.stringify([method, sorted(calls)]))
    .digest('hex');
}

/** Sorts the fields, so that their order does not change the digest. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name])]);
}
