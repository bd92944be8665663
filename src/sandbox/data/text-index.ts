import type { Steps } from '../slices.ts';
import type { Watcher } from './table.ts';

/** Some records, with their texts joined on demand. */
interface Block<Key> {
  keys: Key[];
  joined: { text: string; triples: Triples } | undefined;
}

const recordsPerBlock = 512;
/** Characters of a part whose triples are compared. A longer text is searched by itself. */
const maxTriples = 1_000;
/** Ends each text, so that a part never matches across two of them. */
const separator = '\n';

/**
 * Finds records by a part of their texts. It searches the joined texts of some hundred records at a time, which takes little
 * memory and is far faster than a search in each record. The first search joins all texts.
 */
export class TextIndex<Key, Entry> implements Watcher<Key, Entry> {
  readonly #source: ReadonlyMap<Key, Entry>;
  readonly #textsOf: (entry: Entry) => readonly string[];
  #blocks: Block<Key>[] | undefined;
  readonly #blockOf = new Map<Key, Block<Key>>();

  constructor(source: ReadonlyMap<Key, Entry>, textsOf: (entry: Entry) => readonly string[]) {
    this.#source = source;
    this.#textsOf = textsOf;
  }

  *prepare(): Steps {
    for (const block of this.#read()) {
      this.#joinBlock(block);
      yield;
    }
  }

  changed(key: Key, before: Entry | undefined, after: Entry | undefined): void {
    if (!this.#blocks) return;
    if (after === undefined) this.#remove(this.#blocks, key);
    else if (before === undefined) this.#add(this.#blocks, key);
    else if (this.#join(before) !== this.#join(after)) this.#forget(key);
  }

  /**
   * Returns all records with a text that contains the part, among a few others.
   *
   * @returns `undefined` if the index cannot help
   */
  candidates(part: string): Entry[] | undefined {
    if (part === '' || part.includes(separator)) return undefined;
    const found: Entry[] = [];
    const wanted = triplesIn(part.slice(0, maxTriples));
    for (const block of this.#read()) {
      const { text, triples } = this.#joinBlock(block);
      if (!wanted.every((triple) => triples.has(triple)) || !text.includes(part)) continue;
      for (const key of block.keys) {
        const entry = this.#source.get(key);
        if (entry !== undefined) found.push(entry);
      }
    }
    return found;
  }

  #read(): Block<Key>[] {
    if (this.#blocks) return this.#blocks;
    this.#blocks = [];
    for (const key of this.#source.keys()) this.#add(this.#blocks, key);
    return this.#blocks;
  }

  #add(blocks: Block<Key>[], key: Key): void {
    let last = blocks.at(-1);
    if (!last || last.keys.length >= recordsPerBlock) {
      last = { keys: [], joined: undefined };
      blocks.push(last);
    }
    last.keys.push(key);
    last.joined = undefined;
    this.#blockOf.set(key, last);
  }

  #remove(blocks: Block<Key>[], key: Key): void {
    const block = this.#blockOf.get(key);
    if (!block) return;
    block.keys.splice(block.keys.indexOf(key), 1);
    block.joined = undefined;
    this.#blockOf.delete(key);
    if (block.keys.length === 0) blocks.splice(blocks.indexOf(block), 1);
  }

  #forget(key: Key): void {
    const block = this.#blockOf.get(key);
    if (block) block.joined = undefined;
  }

  #joinBlock(block: Block<Key>): NonNullable<Block<Key>['joined']> {
    if (block.joined) return block.joined;
    const text = block.keys.map((key) => this.#join(this.#source.get(key))).join('');
    const triples = new Triples();
    for (let place = 2; place < text.length; place += 1) triples.add(tripleAt(text, place));
    block.joined = { text, triples };
    return block.joined;
  }

  #join(entry: Entry | undefined): string {
    if (entry === undefined) return '';
    return this.#textsOf(entry)
      .map((text) => text + separator)
      .join('');
  }
}

/** A power of two, so that a hash is a mask. */
const bits = 2 ** 15;

/** Bloom filter of the triples of characters in a text. It can report a triple that the text lacks, but never misses one. */
class Triples {
  readonly #words = new Uint32Array(bits / 32);

  add(triple: number): void {
    this.#words[triple >>> 5] = (this.#words[triple >>> 5] ?? 0) | (1 << (triple & 31));
  }

  has(triple: number): boolean {
    return (((this.#words[triple >>> 5] ?? 0) >>> (triple & 31)) & 1) === 1;
  }
}

/** A hash of the three characters that end at a place. */
function tripleAt(text: string, end: number): number {
  const [first, second] = [text.charCodeAt(end - 2), text.charCodeAt(end - 1)];
  return ((first * 1_031 + second) * 37 + text.charCodeAt(end) * 7_919) & (bits - 1);
}

function triplesIn(text: string): number[] {
  const found: number[] = [];
  for (let end = 2; end < text.length; end += 1) found.push(tripleAt(text, end));
  return found;
}
