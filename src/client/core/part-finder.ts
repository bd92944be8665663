/** Number of bytes covered by a hash. */
const windowLength = 8;

/** Parts, indexed by the hash of their last 8 bytes. */
interface PartIndex {
  /** 1 for each slot used in `bySlot`. At most positions of a text, only this is read. */
  isTaken: Uint8Array;
  bySlot: Map<number, Uint8Array[]>;
  /** Number of bits by which a hash is longer than a slot number. */
  shift: number;
}

/**
 * Returns a function that tests whether a UTF-8 text contains any of the parts. It reads the text once for any number of parts
 * (Rabin-Karp).
 *
 * Works on bytes, because reading the characters of strings takes up to four times as long in V8.
 *
 * @param parts - each part of fewer than 8 bytes needs an additional pass
 */
export function createPartFinder(parts: Iterable<string>): (text: Uint8Array) => boolean {
  const encoder = new TextEncoder();
  const long: Uint8Array[] = [];
  const short: string[] = [];
  for (const part of new Set(parts)) {
    const bytes = encoder.encode(part);
    if (bytes.length < windowLength) short.push(part);
    else long.push(bytes);
  }
  const index = indexParts(long);
  return (text) => containsLong(text, index) || (short.length > 0 && containsShort(text, short));
}

function indexParts(parts: readonly Uint8Array[]): PartIndex {
  // With 32 slots per part, about one position in 32 needs a comparison.
  const bits = Math.min(20, Math.max(12, Math.ceil(Math.log2(parts.length + 1)) + 5));
  const index: PartIndex = { isTaken: new Uint8Array(2 ** bits), bySlot: new Map(), shift: 32 - bits };
  for (const part of parts) {
    const slot = part.subarray(-windowLength).reduce(nextHash, 0) >>> index.shift;
    index.isTaken[slot] = 1;
    const others = index.bySlot.get(slot);
    if (others) others.push(part);
    else index.bySlot.set(slot, [part]);
  }
  return index;
}

function containsLong(text: Uint8Array, { isTaken, bySlot, shift }: PartIndex): boolean {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = nextHash(hash, text[at] ?? 0);
    const slot = hash >>> shift;
    if (isTaken[slot] === 1 && endsWithAny(text, at + 1, bySlot.get(slot))) return true;
  }
  return false;
}

/** Updates the hash of the last 8 bytes. Each step shifts it by 4 of its 32 bits, which removes older bytes. */
function nextHash(hash: number, byte: number): number {
  return ((hash << 4) + Math.imul(byte, 0x9e3779b1)) | 0;
}

/** Whether the text before `end` ends with one of the parts. */
function endsWithAny(text: Uint8Array, end: number, parts: readonly Uint8Array[] = []): boolean {
  return parts.some((part) => part.every((byte, at) => text[end - part.length + at] === byte));
}

function containsShort(text: Uint8Array, parts: readonly string[]): boolean {
  const plain = new TextDecoder().decode(text);
  return parts.some((part) => plain.includes(part));
}
