import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Lengths in bytes, from https://sqlite.org/fileformat2.html#the_write_ahead_log. */
const headerLength = 32;
const frameHeaderLength = 24;
/** Magic number of a log. Its last bit says whether checksums read words as big-endian. */
const magic = 0x377f_0682;

/** Two sums, which each frame continues from the frame before it. */
type Sums = readonly [number, number];

/**
 * Looks for damage in the middle of SQLite's write-ahead log. SQLite itself takes the first frame that does not match its checksum
 * for the end of the log, so confirmed transactions after it would be lost without an error.
 *
 * A damaged end is none: a process that was killed can leave it. Neither are frames after it without the end of a transaction, which
 * a transaction that was rolled back can leave.
 *
 * @param path - path of the log, which need not exist
 * @returns number of the first damaged frame, from 1, if a confirmed transaction follows; 0 for the header; `undefined` if
 * there is no such damage
 */
export function findDamagedFrame(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const log = openSync(path, 'r');
  try {
    return damagedFrame((length, at) => {
      const bytes = new Uint8Array(length);
      return readSync(log, bytes, 0, length, at) === length ? new DataView(bytes.buffer) : undefined;
    });
  } finally {
    closeSync(log);
  }
}

/** @param read - returns bytes of the log, or `undefined` after its end */
function damagedFrame(read: (length: number, at: number) => DataView | undefined): number | undefined {
  const header = read(headerLength, 0);
  // SQLite writes frames only after the header is on the disk.
  if (!header || !read(1, headerLength)) return undefined;
  const isLittle = header.getUint32(0) === magic;
  const sumsOfHeader = sum([0, 0], header, headerLength - 8, isLittle);
  if ((header.getUint32(0) | 1) !== (magic | 1) || !isEqual(sumsOfHeader, sumsIn(header, 24))) return 0;
  const pageSize = header.getUint32(8);
  const length = frameHeaderLength + pageSize;
  let damaged: number | undefined;
  // A damaged frame has a wrong page or a wrong checksum. The next frame continues from the one that is right.
  let before: Sums[] = [sumsOfHeader];
  for (let number = 1; ; number += 1) {
    const frame = read(length, headerLength + (number - 1) * length);
    if (!frame) return undefined;
    const written = sumsIn(frame, 16);
    // Frames of an earlier generation, which SQLite overwrites, have other salts.
    const isOfGeneration = frame.getUint32(8) === header.getUint32(16) && frame.getUint32(12) === header.getUint32(20);
    const computed = isOfGeneration
      ? before.map((sums) => sum(sum(sums, frame, 8, isLittle), frame, pageSize, isLittle, frameHeaderLength))
      : [];
    const isIntact = computed.some((sums) => isEqual(sums, written));
    const endsTransaction = frame.getUint32(4) !== 0;
    if (isIntact && endsTransaction && damaged !== undefined) return damaged;
    if (!isIntact) damaged ??= number;
    before = isIntact ? [written] : [written, ...computed.slice(0, 1)];
  }
}

function sumsIn(bytes: DataView, at: number): Sums {
  return [bytes.getUint32(at), bytes.getUint32(at + 4)];
}

/** Adds bytes to the sums of what precedes them. */
function sum([first, second]: Sums, bytes: DataView, length: number, isLittle: boolean, start = 0): Sums {
  let one = first;
  let two = second;
  for (let at = start; at < start + length; at += 8) {
    one = (one + bytes.getUint32(at, isLittle) + two) >>> 0;
    two = (two + bytes.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

function isEqual(one: Sums, other: Sums): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
