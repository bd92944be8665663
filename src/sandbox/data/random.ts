/**
 * Returns the number at a position in a random sequence, from 0 (inclusive) to 1 (exclusive). The generator, mulberry32, is
 * small and returns the same numbers on every runtime.
 */
export function randomAt(seed: number, place: number): number {
  const word = (seed + Math.imul(place, 0x6d2b79f5)) >>> 0;
  let mixed = Math.imul(word ^ (word >>> 15), word | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
}
