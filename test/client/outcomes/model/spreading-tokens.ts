import { tokenOperation } from '../../../../generated/crm/operations.ts';
import fc from '../../../fast-check.ts';

/** How tokens reach the machines of a service. */
export interface Spread {
  /** For each token in turn, milliseconds until all machines accept it. Later tokens are accepted at once. */
  delays: number[];
  /** Number of machines. They answer in turn, and learn of a token one after another. */
  machines: number;
  /** Milliseconds after which a token is rejected, although it has not expired. */
  revokedAfter: number;
}

const forever = Number.POSITIVE_INFINITY;

export const spreads: fc.Arbitrary<Spread> = fc.record({
  delays: fc.array(fc.constantFrom(50, 250, 900, 1_600, 3_000, 8_000, forever), { maxLength: 3 }),
  machines: fc.integer({ min: 1, max: 3 }),
  revokedAfter: fc.constantFrom(forever, forever, 5_000, 10_000),
});

/** A request with a token. */
interface Use {
  thing: string;
  token: number;
  isRejected: boolean;
}

/** Issues tokens, decides which machine accepts them, and finds what the client must never do with them. */
export class SpreadingTokens {
  readonly problems: string[] = [];
  readonly #spread: Spread;
  /** When each token was issued. */
  readonly #issued: number[] = [];
  readonly #uses: Use[] = [];

  constructor(spread: Spread) {
    this.#spread = spread;
  }

  /** Answers a token request. `undefined` for other requests. */
  answer(url: string | undefined): string | undefined {
    if (url !== tokenOperation.path) return undefined;
    const last = this.#issued.length - 1;
    const uses = this.#uses.filter(({ token }) => token === last);
    // A token that was never used did not reach the client.
    if (uses.length > 0 && !uses.some(({ isRejected }) => isRejected))
      this.problems.push('more than one token request for a rejected token');
    this.#issued.push(performance.now());
    return JSON.stringify({ access_token: `token-${last + 1}`, expires_in: 86_400 });
  }

  /** Whether the machine whose turn it is rejects a token. */
  rejects(authorization: string | undefined): boolean {
    const token = numberOf(authorization);
    const { delays, machines, revokedAfter } = this.#spread;
    const age = performance.now() - (this.#issued[token] ?? 0);
    const machine = (this.#uses.length % machines) + 1;
    return age >= revokedAfter || age < ((delays[token] ?? 0) * machine) / machines;
  }

  /** Takes note of an answer. */
  note(thing: string, authorization: string | undefined, isRejected: boolean): void {
    this.#uses.push({ thing, token: numberOf(authorization), isRejected });
  }

  /**
   * Judges the calls, after all have ended.
   *
   * @param creations - things that calls create
   * @param isSeen - whether the client certainly saw each answer, so that what it does next follows from it
   */
  judge({
    creations,
    replayCreates,
    isSeen,
  }: {
    creations: string[];
    replayCreates: boolean;
    isSeen: boolean;
  }): string[] {
    const problems = new Set(this.problems);
    const things = new Set(this.#uses.map(({ thing }) => thing));
    for (const thing of things) {
      const own = this.#uses.filter((use) => use.thing === thing);
      if (isSeen && own.some(({ isRejected, token }, at) => isRejected && own[at + 1]?.token === token))
        problems.add('a call was sent again with the rejected token');
      if (!replayCreates && creations.includes(thing) && own.slice(0, -1).some(({ isRejected }) => isRejected))
        problems.add('a creation was sent again after a 401');
      if (isSeen && own.filter(({ isRejected }) => isRejected).length > 2)
        problems.add('a call goes on after a second 401');
    }
    return [...problems];
  }
}

function numberOf(authorization: string | undefined): number {
  return Number(authorization?.replace('Bearer token-', ''));
}
