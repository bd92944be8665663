/** What seeds are made from; the same source gives the same data. */
export interface SeedSource {
  /** How many contacts, emails and the like; 0 for the small data set alone. */
  size: number;
  /** The sandbox's clock, in milliseconds since 1970. */
  now: number;
  /** A number from 0 up to 1, from the seed's own generator. */
  random(): number;
}

export function seedSource(size: number, now: number): SeedSource {
  return { size, now, random: generator(0x2545f491) };
}

/** xorshift32: small and the same everywhere, so that a seed is deterministic. */
function generator(start: number): () => number {
  let word = start;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) / 0x1_0000_0000;
  };
}
