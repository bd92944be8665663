import type { List, Page, WithResponse } from '../../shared/call-types.ts';
import { keyOf } from '../../shared/operation.ts';
import { identify } from './call-state.ts';
import { hide, inspect } from './errors/base.ts';
import { IncompleteListError } from './errors/local-errors.ts';
import { itemKey, ListReader, type ListSource, type PageReading } from './list-reader.ts';
import { argumentError, checkCount, checkNames, readFields } from './prepare.ts';

/**
 * A list that reads its pages from a source.
 *
 * @internal Omitted from the declarations, because checking it would slow down every user's compiler.
 */
export class PagedList<Item, Meta> implements List<Item, Meta> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #source: ListSource;
  /** The page that `await` returns. Iterations do not use this page, because it may be outdated or modified by the caller. */
  #first: Promise<PageReading<Item, Meta>> | undefined;

  constructor(source: ListSource) {
    this.#source = source;
    // For Node's `console.log`. Not a method, because a computed name would prevent bundlers from removing the unused class.
    const shown = `List { ${keyOf(source.operation)}: use await to get the first page, or for await to get all items }`;
    hide(this, inspect, () => shown);
  }

  async withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>> {
    this.#first ??= new ListReader<Item, Meta>(this.#source).read().catch((error: unknown) => {
      this.#first = undefined;
      throw error;
    });
    const { page, meta, response } = await this.#first;
    return { data: page, meta, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is a promise, which `await` asks for `then`
  then<Kept = Page<Item, Meta>, Lost = never>(
    onFulfilled?: ((page: Page<Item, Meta>) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    // Pass the functions on unchanged. JavaScript engines recognize the functions of `await`, and include the line with the
    // `await` in the stack trace of an error.
    return this.#page().then(onFulfilled, onRejected);
  }

  catch<Lost = never>(
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Page<Item, Meta> | Lost> {
    return this.#page().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Item, Meta>> {
    return this.#page().finally(onFinally);
  }

  async #page(): Promise<Page<Item, Meta>> {
    const { data } = await this.withResponse();
    return data;
  }

  async *pages(
    options?: { complete?: boolean },
    ...more: unknown[]
  ): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    this.#check(options, ['complete'], more);
    const { complete = false } = options ?? {};
    const reader = new ListReader<Item, Meta>(this.#source, complete);
    while (reader.nextOffset !== undefined) {
      const { page } = await reader.read();
      if (complete && reader.problem !== undefined) throw this.#incomplete(reader, reader.problem, page.offset);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async toArray(options?: { max?: number; complete?: boolean }, ...more: unknown[]): Promise<Item[]> {
    this.#check(options, ['max', 'complete'], more);
    const { max, complete = false } = options ?? {};
    if (!isCount(max)) throw new RangeError("toArray needs the 'max' option: a whole number of 0 or more, or Infinity");
    const items: Item[] = [];
    if (max === 0 && !complete) return items;
    const { offset, prepared } = this.#source;
    const signal = 'error' in prepared ? undefined : prepared.call.options.signal;
    const reader = new ListReader<Item, Meta>(this.#source, complete);
    let nextOffset = offset;
    let problem: string | undefined;
    let failure: ErrorOptions | undefined;
    try {
      while (reader.nextOffset !== undefined) {
        const { page } = await reader.read();
        const taken = page.data.slice(0, max - items.length);
        for (const item of taken) items.push(item);
        const end = page.offset + taken.length;
        const isCut = taken.length < page.data.length;
        nextOffset = isCut ? end : (reader.nextOffset ?? end);
        // If there is no total, only another page can show that the list is complete.
        const isFull = items.length >= max && reader.nextOffset !== undefined && (!complete || reader.isBelowTotal);
        if (isCut || isFull) {
          problem = "has more than 'max' items";
          break;
        }
      }
      problem ??= reader.problem;
      if (complete && new Set(items.map(itemKey)).size < items.length) {
        problem ??= 'repeats items; other items may be missing';
      }
    } catch (cause) {
      const isAbort = signal?.aborted === true && cause === signal.reason;
      if (isAbort ? items.length === 0 : !reader.hasBegun) throw cause;
      problem = `${isAbort ? 'was aborted' : 'failed'} after ${items.length} items`;
      nextOffset = reader.nextOffset ?? nextOffset;
      failure = { cause };
    }
    if (!problem || !(complete || failure)) return items;
    throw this.#incomplete(reader, problem, nextOffset, items, failure);
  }

  /** Checks the arguments passed to a function of the list. */
  #check(options: unknown, known: string[], more: unknown[]): void {
    try {
      checkCount([options, ...more], ['options']);
      checkNames(readFields(options, 'options'), known, { one: 'option ', all: 'options' });
    } catch (error) {
      throw argumentError(keyOf(this.#source.operation), error);
    }
  }

  #incomplete(
    { call }: ListReader<Item, Meta>,
    problem: string,
    nextOffset: number,
    items: Item[] = [],
    failure?: ErrorOptions,
  ): IncompleteListError {
    const error = new IncompleteListError(
      `${keyOf(this.#source.operation)} ${problem}`,
      { items, nextOffset },
      failure,
    );
    return call ? identify(error, call) : error;
  }
}

function isCount(max: unknown): max is number {
  return typeof max === 'number' && max >= 0 && (Number.isInteger(max) || max === Number.POSITIVE_INFINITY);
}
