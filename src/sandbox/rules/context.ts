import { isRecord } from '../../shared/is-record.ts';
import type { Tokens } from '../data/tokens.ts';
import type { SandboxState } from '../products/state.ts';
import type { AnyChoice } from './choices.ts';
import { type PageRange, takePage } from './paging.ts';
import { Rejection, rejection } from './rejection.ts';
import type { AnyRule } from './rules.ts';

/** The simulated account. */
export interface Account {
  /** The free tariff does not store descriptions of pipeline steps. */
  tariff: 'paid' | 'free';
  /** Currency of prices in responses. */
  currency: string;
  /** Accepted API keys, or `undefined` to accept any key. */
  apiKeys: readonly string[] | undefined;
  /** Accepted client credentials for token requests, or `undefined` to accept any credentials. */
  clients: readonly { clientId: string; clientSecret: string }[] | undefined;
  /** Whether fields and parameters that the specs do not describe are rejected, except for `ownFields`. */
  strict?: boolean;
  /** Names of the account's own fields in records that permit undeclared fields. */
  ownFields?: readonly string[];
}

/** Choices that apply to all responses of an operation. A handler marks the choices that apply only to some responses. */
export interface ResponseChoices {
  /** Choices that apply to every success response. */
  always?: readonly AnyChoice[];
  list?: ListChoices;
}

/** Choices that apply to a response with a list. */
export interface ListChoices {
  /** Choice about the order of the items. A response names this choice if the list has at least two items. */
  order?: AnyChoice;
  /** Choice about the page size. A response names this choice if another page size would change the page. */
  pageSize?: AnyChoice;
  /** Choices about the content of an item, such as its date format. A response names these choices if the page has an item. */
  entry?: readonly AnyChoice[];
}

/** Properties of an operation. This file imports no types from zod, because users of a sandbox should not load them. */
interface BodyAndPage {
  /** Names of the fields that the spec describes for the body. */
  bodyFields: readonly string[];
  /** Maximum page size, if documented. */
  pageSize: number | undefined;
}

/** A table, or a list of records with IDs. */
type Records<Key, Entry> = ReadonlyMap<Key, Entry> | readonly (Entry & { id: Key })[];

/** Schema of a record. */
interface RecordSchema {
  readonly shape: object;
}

/** State, tokens, time and account that apply to a request. */
export interface Surroundings {
  state: SandboxState;
  tokens: Tokens;
  now: number;
  account: Account;
}

const none = {};
const nothing: ReadonlySet<string | undefined> = new Set();

/** State, clock and helpers that the handler of a request uses. Handlers change the state in place. */
export class Context {
  readonly state: SandboxState;
  /** Issued access tokens. */
  readonly tokens: Tokens;
  /** Time of the sandbox's clock, in milliseconds since 1970. */
  readonly now: number;
  readonly account: Account;
  readonly choices: AnyChoice[];
  /** Names of the account's own fields that the handler stored. */
  stored: ReadonlySet<string | undefined> = nothing;
  readonly #unknown: { readonly [name: string]: unknown };
  /** Fields of the body that the spec describes. */
  readonly #declared: { readonly [name: string]: unknown };
  readonly #route: BodyAndPage;
  readonly #list: ListChoices;

  /**
   * @param endpoint - the operation, with its choices
   * @param body - body of the request
   * @param unknown - fields at the top level of the body that the spec does not describe
   */
  constructor(
    { state, tokens, now, account }: Surroundings,
    { route, always = [], list = {} }: ResponseChoices & { route: BodyAndPage },
    body: unknown,
    unknown: { readonly [name: string]: unknown } = none,
  ) {
    this.state = state;
    this.tokens = tokens;
    this.now = now;
    this.account = account;
    this.choices = [...always];
    this.#unknown = unknown;
    this.#declared = isRecord(body) ? body : none;
    this.#route = route;
    this.#list = list;
  }

  /**
   * Rejects the request because it violates a documented rule. The response has an `x-sandbox-rule` header.
   *
   * @param rule - ID of the rule in the spec
   * @param rejection - status (default 422) and body (default `{ message }`); `choice` if the rule is documented but this
   * response is not; `retryAfter` in whole seconds
   */
  reject(
    rule: AnyRule,
    rejection: { status?: number; message: string; body?: unknown; choice?: AnyChoice; retryAfter?: number },
  ): never {
    const { status = 422, message, body = { message }, ...rest } = rejection;
    throw new Rejection({ status, body, rule, ...rest });
  }

  /**
   * Rejects the request because of a choice of the sandbox: the case is not documented. The response has an `x-sandbox-choice`
   * header.
   */
  rejectByChoice(choice: AnyChoice, message: string, status = 422): never {
    throw rejection(status, message, choice);
  }

  /**
   * Rejects the request with status 404, because a record does not exist. The response names the documented rule, if any, and
   * otherwise the sandbox's choice.
   */
  notFound(what: string, rule?: AnyRule): never {
    const body = { message: `There is no such ${what}.` };
    throw new Rejection(rule ? { status: 404, body, rule } : { status: 404, body, choice: 'unknown-record' });
  }

  /**
   * Returns a record in a table or a list, or rejects the request with status 404.
   *
   * @param what - noun for the record in the message, such as `contact`
   * @param rule - the documented rule about the response, if any
   */
  find<Key, Entry>(records: Records<Key, Entry>, key: Key, what: string, rule?: AnyRule): Entry {
    const found = 'get' in records ? records.get(key) : records.find(({ id }) => id === key);
    return found ?? this.notFound(what, rule);
  }

  /** Rejects the request with status 422, because the body refers to a record that does not exist. */
  unknownReference(what: string): never {
    return this.rejectByChoice('unknown-reference', `There is no ${what}.`);
  }

  /**
   * Returns the body fields that a record stores unchanged: the fields that the spec declares for both the body and the record,
   * and the account's own fields, which the spec does not describe.
   *
   * @param record - schema of the record; the account's own fields cannot have the names of its fields
   * @param treated - names of fields that the handler processes differently
   */
  fields({ shape }: RecordSchema, ...treated: string[]): { [name: string]: unknown } {
    const declared = this.#shared(shape, treated).flatMap((name): [string, unknown][] =>
      this.#has(name) ? [[name, this.#declared[name]]] : [],
    );
    return { ...Object.fromEntries(declared), ...this.#own(shape) };
  }

  /**
   * Returns a record, updated with the fields of the body. Declared fields that the body omits keep their values, and the
   * response names the choice about omitted fields.
   */
  overwrite<Stored extends object>(before: Stored, record: RecordSchema, ...treated: string[]): Stored {
    const isKept = (name: string): boolean => !this.#has(name) && Reflect.get(before, name) !== undefined;
    if (this.#shared(record.shape, treated).some(isKept)) this.chose('omitted-fields-kept');
    return { ...before, ...this.fields(record, ...treated) };
  }

  /** Names of the fields that the spec describes for both the body and a record. */
  #shared(shape: object, treated: readonly string[]): string[] {
    return this.#route.bodyFields.filter((name) => Object.hasOwn(shape, name) && !treated.includes(name));
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#declared, name);
  }

  #own(shape: object): { [name: string]: unknown } {
    const fields = Object.entries(this.#unknown).filter(([name]) => !Object.hasOwn(shape, name));
    if (fields.length > 0) {
      this.stored = new Set([...this.stored, ...fields.map(([name]) => name)]);
      this.chose('own-fields');
    }
    return Object.fromEntries(fields);
  }

  /** Records that a success response depends on a choice of the sandbox. */
  chose(choice: AnyChoice): void {
    if (!this.choices.includes(choice)) this.choices.push(choice);
  }

  /** Returns all items as a list, and marks the operation's choices about lists. */
  list<Item>(items: Iterable<Item>): Item[] {
    const listed = [...items];
    this.#markList(listed.length, listed.length);
    return listed;
  }

  /** Returns the requested page of a list, and marks the operation's choices about lists. */
  page<Item>(items: Iterable<Item>, paging: PageRange): Item[] {
    const { pageSize } = this.#list;
    if (!pageSize) throw new Error('A handler that returns pages must declare list.pageSize');
    if ((paging.limit ?? 0) < 0 || (paging.offset ?? 0) < 0)
      this.rejectByChoice(pageSize, 'limit and offset must be 0 or more.');
    const page = takePage(items, paging, this.#route.pageSize);
    if (page.isDefault) this.chose(pageSize);
    this.#markList(page.read, page.items.length);
    return page.items;
  }

  #markList(read: number, shown: number): void {
    const { order, entry = [] } = this.#list;
    if (order && read > 1) this.chose(order);
    if (shown > 0) for (const choice of entry) this.chose(choice);
  }
}
