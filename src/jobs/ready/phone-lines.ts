/**
 * The line of each phone number, as a hash table in two typed arrays: a million numbers take 25 MB, and a `Map` of texts more than
 * three times as much.
 */
export class PhoneLines {
  /** 0 is a free place. */
  #phones = new Float64Array(1_024);
  #lines = new Int32Array(1_024);
  #count = 0;
  /** Those that a number does not represent: too long, or with zeros in front. */
  readonly #others = new Map<string, number>();

  /** @param phone - digits */
  get(phone: string): number | undefined {
    const key = keyOf(phone);
    if (key === undefined) return this.#others.get(phone);
    const place = this.#find(key);
    return this.#phones[place] === key ? this.#lines[place] : undefined;
  }

  /** Notes the line of a number that has none. */
  add(phone: string, line: number): void {
    const key = keyOf(phone);
    if (key === undefined) {
      this.#others.set(phone, line);
      return;
    }
    if (this.#count * 2 >= this.#phones.length) this.#grow();
    this.#put(key, line);
    this.#count += 1;
  }

  #put(key: number, line: number): void {
    const place = this.#find(key);
    this.#phones[place] = key;
    this.#lines[place] = line;
  }

  /** The place of a number, or the free place where it belongs. */
  #find(key: number): number {
    const last = this.#phones.length - 1;
    let place = (Math.imul(key % 2 ** 32, 0x9e3779b1) ^ Math.imul(key / 2 ** 32, 0x85ebca6b)) >>> 7;
    for (place &= last; ; place = (place + 1) & last) {
      const found = this.#phones[place];
      if (found === key || found === 0) return place;
    }
  }

  #grow(): void {
    const [phones, lines] = [this.#phones, this.#lines];
    this.#phones = new Float64Array(phones.length * 2);
    this.#lines = new Int32Array(phones.length * 2);
    for (const [place, key] of phones.entries()) if (key !== 0) this.#put(key, lines[place] ?? 0);
  }
}

function keyOf(phone: string): number | undefined {
  const key = Number(phone);
  return key > 0 && Number.isSafeInteger(key) && String(key) === phone ? key : undefined;
}
