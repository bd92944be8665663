/** Bytes that the hash of a place in a text covers. */
const windowLength = 8;

/** Parts of texts by the hash of their last 8 bytes. */
interface PartIndex {
  /** 1 for each slot of `bySlot`: at most places of a text, this is all that is read. */
  isTaken: Uint8Array;
  bySlot: Map<number, Uint8Array[]>;
  /** Bits by which a hash is longer than the number of a slot. */
  shift: number;
}

/**
 * Returns a function that finds out whether a text in UTF-8 contains any of many parts. It reads the text once, whatever the
 * number of parts (Rabin-Karp).
 *
 * Texts are bytes here because V8 needs up to four times as long for the characters of strings: it has many kinds of them.
 *
 * @param parts - those of fewer than 8 bytes take a pass each
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
  // With 32 slots for each part, about one place of a text in 32 needs a closer look.
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

/** The hash of the last 8 bytes: each step shifts it by 4 of its 32 bits, so an older byte is no longer in it. */
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
