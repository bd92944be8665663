/** Input of the seeds. The same source produces the same data. */
export interface SeedSource {
  /** Number of contacts, emails and other records to add to the small data set; 0 adds none. */
  size: number;
  /** The sandbox's clock, in milliseconds since 1970. */
  now: number;
  /** Returns a number from 0 (included) to 1 (excluded), from the seed's own generator. */
  random(): number;
}

export function seedSource(size: number, now: number): SeedSource {
  return { size, now, random: generator(0x2545f491) };
}

/** xorshift32: small, and deterministic on every runtime. */
function generator(start: number): () => number {
  let word = start;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) / 0x1_0000_0000;
  };
}
