import { type Candidate, matches } from './fault-match.ts';
import type { Fault, Faults, ListedFault } from './faults.ts';
import { isOperationId, noSuchOperation, pathNamesOf } from './operation-ids.ts';
import { SharedUse } from './shared-use.ts';

/** Limits of faults, so that no list of faults slows requests down or fills the memory. */
const limits = {
  faults: 100,
  /** Characters of one fault as JSON. */
  size: 256 * 1024,
  /** Characters of the faults of all worlds. */
  total: 16 * 1024 * 1024,
  /** One hour, in milliseconds. */
  delay: 3_600_000,
} as const;

const bodiless = [204, 205, 304];

interface HeldFault {
  fault: ListedFault;
  random: () => number;
  /** Characters as JSON. */
  size: number;
}

export class FaultList implements Faults {
  #faults: HeldFault[] = [];
  #lastId = 0;
  readonly #shared: SharedUse;
  /** Called before a fault is added. It throws if there may be none. */
  onAdd: (() => void) | undefined;

  constructor(shared = new SharedUse()) {
    this.#shared = shared;
  }

  add(fault: Fault): number {
    check(fault);
    if (this.#faults.length >= limits.faults)
      throw new RangeError(`There are ${limits.faults} faults already: remove some with remove or clear`);
    this.onAdd?.();
    this.#lastId += 1;
    const held: ListedFault = { times: 1, ...fault, id: this.#lastId, seen: 0 };
    const text = JSON.stringify(held);
    if (text.length > limits.size) throw new RangeError(`A fault takes at most ${limits.size} characters as JSON`);
    if (this.#shared.faultSize + text.length > limits.total)
      throw new RangeError(`The faults of all worlds take at most ${limits.total} characters as JSON: remove some`);
    this.#shared.faultSize += text.length;
    this.#faults.push({ fault: JSON.parse(text), random: generator(fault.randomSeed ?? 1), size: text.length });
    return this.#lastId;
  }

  remove(id: number): boolean {
    const index = this.#faults.findIndex(({ fault }) => fault.id === id);
    for (const { size } of index === -1 ? [] : this.#faults.splice(index, 1)) this.#shared.faultSize -= size;
    return index !== -1;
  }

  clear(): void {
    for (const { size } of this.#faults) this.#shared.faultSize -= size;
    this.#faults = [];
  }

  list(): ListedFault[] {
    return this.#faults.map(({ fault }) => structuredClone(fault));
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Returns the fault for a request, and reduces its remaining uses by one. */
  take(request: Candidate): ListedFault | undefined {
    return this.#faults.find((held) => this.#applies(held, request))?.fault;
  }

  #applies({ fault, random }: HeldFault, request: Candidate): boolean {
    const { id, operation, match, nth = 1, probability = 1 } = fault;
    if (operation !== undefined && operation !== request.operation) return false;
    if (match && !matches(match, request)) return false;
    fault.seen += 1;
    if (fault.seen < nth || random() >= probability) return false;
    if (fault.times !== 'always') {
      fault.times -= 1;
      if (fault.times === 0) this.remove(id);
    }
    return true;
  }
}

function check({
  operation,
  match,
  nth,
  probability,
  randomSeed,
  times,
  status,
  body,
  headers,
  delay,
  drop,
}: Fault): void {
  if (operation !== undefined && !isOperationId(operation)) throw new RangeError(noSuchOperation(operation));
  const names = pathNamesOf(operation);
  const other = Object.keys(match?.path ?? {}).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new RangeError(`match.path: no path of ${operation ?? 'any operation'} has {${other}}`);
  if (status === undefined && delay === undefined && drop === undefined)
    throw new RangeError('A fault has a status, a delay or a drop');
  if (times !== undefined && times !== 'always' && !isCount(times))
    throw new RangeError("times is a whole number above 0, or 'always'");
  if (nth !== undefined && !isCount(nth)) throw new RangeError('nth is a whole number above 0');
  if (probability !== undefined && !(probability > 0 && probability <= 1))
    throw new RangeError('probability is a number above 0, and 1 at most');
  if (randomSeed !== undefined && !Number.isSafeInteger(randomSeed))
    throw new RangeError('randomSeed is a whole number');
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new RangeError('status is an HTTP status from 200 to 599');
  if (body !== undefined && (status === undefined || bodiless.includes(status)))
    throw new RangeError('body goes with a status, and with one that has a body');
  if (delay !== undefined && !(delay >= 0 && delay <= limits.delay))
    throw new RangeError(`delay is a number of milliseconds, ${limits.delay} at most`);
  if (drop !== undefined && drop !== 'before' && drop !== 'after') throw new RangeError("drop is 'before' or 'after'");
  // These throw if a name or value is not valid in a header.
  new Headers(headers);
  new Headers(match?.headers);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Mulberry32: small, and deterministic on every runtime. */
function generator(seed: number): () => number {
  let word = seed >>> 0;
  return () => {
    word = (word + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
