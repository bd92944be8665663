import { messageOf } from '../../shared/message-of.ts';
import { randomAt } from '../data/random.ts';
import { maxFaults } from '../limits.ts';
import { pathNamesOf } from '../rules/operation-ids.ts';
import { explainFault, zFault } from './fault-fields.ts';
import { type Candidate, matches } from './fault-match.ts';
import type { Fault, FaultDelay, Faults, ListedFault } from './faults.ts';

/** Headers that describe how the body is sent. The server sets these headers. */
const framingHeaders = ['content-length', 'transfer-encoding'];

const bodiless = [204, 205, 304];

/** A fault that affects a request. */
export interface TakenFault {
  fault: ListedFault;
  /** Milliseconds to wait before the response. */
  delay: number;
}

export class FaultList implements Faults {
  #faults: ListedFault[] = [];
  #lastId = 0;

  add(fault: Fault): number {
    if (this.#faults.length >= maxFaults)
      throw new RangeError(`There are already ${maxFaults} faults. Remove faults with 'remove' or 'clear'`);
    const listed = toListed(fault, this.#faults.length + 1, this.#lastId + 1);
    this.#hold(listed);
    return listed.id;
  }

  /**
   * Checks faults and assigns their numbers. Pass the result to `load`.
   *
   * @throws `RangeError` if a fault is invalid, or if there are too many faults
   */
  prepare(faults: readonly Fault[]): ListedFault[] {
    if (faults.length > maxFaults)
      throw new RangeError(`There are ${faults.length} faults, but at most ${maxFaults} are permitted`);
    return faults.map((fault, index) => toListed(fault, index + 1, this.#lastId + 1 + index));
  }

  remove(id: number): boolean {
    if (!this.#faults.some((fault) => fault.id === id)) return false;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return true;
  }

  clear(): void {
    this.#faults = [];
  }

  list(): ListedFault[] {
    return structuredClone(this.#faults);
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Replaces the faults with the results of `prepare`. */
  load(faults: readonly ListedFault[]): void {
    this.#faults = [];
    for (const fault of faults) this.#hold(fault);
  }

  /** Returns the fault that affects a request, and reduces the remaining uses of the fault by one. */
  take(request: Candidate): TakenFault | undefined {
    for (const fault of this.#faults) {
      if (!concerns(fault, request)) continue;
      fault.seen += 1;
      const { seen, nth = 1, probability = 1, randomSeed = 1 } = fault;
      if (seen < nth || randomAt(randomSeed, seen) >= probability) continue;
      if (fault.times !== 'always') fault.times -= 1;
      if (fault.times === 0) this.remove(fault.id);
      return { fault, delay: delayOf(fault, seen) };
    }
    return undefined;
  }

  #hold(fault: ListedFault): void {
    this.#faults.push(fault);
    this.#lastId = Math.max(this.#lastId, fault.id);
  }
}

/**
 * Checks a fault, and returns a copy with its number.
 *
 * @param place - position of the fault in the list, which is also the default random seed, so that two faults do not affect the
 * same requests
 */
function toListed(fault: Fault, place: number, id: number): ListedFault {
  check(fault);
  const isRandom = fault.probability !== undefined || typeof fault.delay === 'object';
  return structuredClone({ times: 1, ...(isRandom && { randomSeed: place }), ...fault, id, seen: 0 });
}

function concerns({ operation, match }: ListedFault, request: Candidate): boolean {
  return (operation === undefined || operation === request.operation) && (!match || matches(match, request));
}

function check(fault: Fault): void {
  const { error } = zFault.safeParse(fault);
  if (error) throw new RangeError(explainFault(error.issues));
  const { operation, match, status, body, text, headers, delay, delayAt, slowBody, drop } = fault;
  const names = pathNamesOf(operation);
  const other = Object.keys(match?.parameters ?? {}).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new RangeError(`match.parameters: {${other}} is not in the path of ${operation ?? 'any operation'}`);
  if ([status, delay, slowBody, drop].every((effect) => effect === undefined))
    throw new RangeError('A fault must have status, delay, slowBody or drop');
  if (delayAt !== undefined && delay === undefined) throw new RangeError('delayAt requires delay');
  if (body !== undefined && text !== undefined) throw new RangeError('A fault can have body or text, but not both');
  const hasBody = body !== undefined || text !== undefined;
  if (hasBody && (status === undefined || bodiless.includes(status)))
    throw new RangeError('body and text require a status that permits a body');
  if (headers !== undefined && status === undefined) throw new RangeError('headers require status');
  for (const name of Object.keys(headers ?? {}))
    if (framingHeaders.includes(name.toLowerCase()))
      throw new RangeError(
        `headers: ${name} cannot be set, because the server derives it from the body. To cut off the response partway through the body, set drop to 'during-body'`,
      );
  try {
    new Headers(headers);
  } catch (error) {
    throw new RangeError(`headers: ${messageOf(error)}`);
  }
}

function delayOf(
  { delay = 0, randomSeed = 1 }: { delay?: FaultDelay | undefined; randomSeed?: number | undefined },
  seen: number,
): number {
  if (typeof delay === 'number') return delay;
  return delay.min + randomAt(randomSeed, -seen) * (delay.max - delay.min);
}
