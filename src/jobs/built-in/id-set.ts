/** A set of integers. Stores 32 consecutive numbers in one entry, so that the IDs of a million records take 2 MB instead of 50. */
export class IdSet {
  readonly #words = new Map<number, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    return (this.#wordOf(id) & bitOf(id)) !== 0;
  }

  /** Returns `false` if the set already contains the number. */
  add(id: number): boolean {
    if (this.has(id)) return false;
    this.#words.set(Math.floor(id / 32), this.#wordOf(id) | bitOf(id));
    this.#size += 1;
    return true;
  }

  #wordOf(id: number): number {
    return this.#words.get(Math.floor(id / 32)) ?? 0;
  }
}

function bitOf(id: number): number {
  return 1 << (id & 31);
}
