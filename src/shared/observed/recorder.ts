import { isFailureBody } from '../failure-body.ts';
import type { Replies } from '../replies.ts';
import { countClass, integerClass, type JsonType, lengthClass, looksLikeFieldName, textClass } from './classes.ts';
import {
  type Account,
  type Counts,
  maxLevels,
  maxNames,
  maxStatuses,
  type ObservedReply,
  type Shape,
} from './observed.ts';
import { bodyPlace, documentedReply, namesOf, type Place } from './places.ts';

/** Options of a {@link Recorder}. */
export interface RecorderOptions {
  /** Writes names in maps, too, such as those of your own variables. */
  names?: boolean | undefined;
}

/** Number of values of a reply after which no further record of a list is recorded. */
const maxValues = 20_000;
/** Maximum number of places per operation and status. */
const maxPlaces = 2_000;
/** Minimum number of records with an undocumented name before the name is written. */
const minRecords = 3;

/** Common names of fields in error bodies, in addition to those of the specs. */
const errorNames =
  'code detail details error error_code error_description errors field fields instance message messages reason status success title type';

/**
 * Records the form of replies without their values. Undocumented names of fewer than three records stay in memory, and the export only
 * counts their fields.
 */
export class Recorder {
  readonly #products: readonly Replies[];
  readonly #names: ReadonlySet<string>;
  /** Names of fields that are maps in a request or reply. */
  readonly #maps: ReadonlySet<string>;
  readonly #options: RecorderOptions;
  readonly #replies = new Map<string, Map<string, Trace>>();
  #number = 0;

  constructor(products: readonly Replies[], options: RecorderOptions = {}) {
    this.#products = products;
    this.#names = new Set([...errorNames.split(' '), ...products.flatMap((product) => [...namesOf(product)])]);
    this.#maps = new Set(products.flatMap(({ maps }) => maps));
    this.#options = options;
  }

  /** Whether a name is in the specs, so that it can be written. */
  readonly isKnown = (name: string): boolean => this.#names.has(name);

  /** Whether the specs have the operation. */
  isOperation(operationId: string): boolean {
    return this.#products.some(({ operations }) => Object.hasOwn(operations, operationId));
  }

  /**
   * Records the form of one reply.
   *
   * @param body - parsed body, or `undefined` without a body
   * @returns `false` if it ignores the reply: of an unknown operation, with an invalid status, or with too many statuses
   */
  record(operationId: string, status: number, body: unknown): boolean {
    const isFailure = status < 300 && isFailureBody(body);
    const trace = this.#trace(operationId, status, isFailure);
    if (!trace) return false;
    trace.replies += 1;
    if (body === undefined) return true;
    trace.bodies += 1;
    this.#number += 1;
    const budget = { values: maxValues };
    this.#note(trace, trace.body, body, 0, budget);
    return true;
  }

  /** Accepts the names in a file at once, because they occurred in three records before. */
  keep(account: Account): void {
    for (const [operationId, statuses] of Object.entries(account)) {
      for (const [status, { body }] of Object.entries(statuses)) {
        const trace = this.#trace(operationId, Number.parseInt(status, 10), status.endsWith('failure'));
        if (trace && body) keepNames(trace.body, body);
      }
    }
  }

  /**
   * Returns the observations since the last call, and resets the counts.
   *
   * @param isLast - whether no call follows, so that fields whose names still wait for further records are counted
   */
  take({ isLast = true } = {}): Account {
    const account: Account = {};
    for (const [operationId, statuses] of this.#replies) {
      for (const [status, trace] of statuses) {
        if (trace.replies === 0) continue;
        const body = takeShape(trace.body, isLast);
        const reply: ObservedReply = { replies: trace.replies, bodies: trace.bodies, ...(body && { body }) };
        account[operationId] = { ...account[operationId], [status]: reply };
        trace.replies = 0;
        trace.bodies = 0;
      }
    }
    return account;
  }

  #trace(operationId: string, status: number, isFailure: boolean): Trace | undefined {
    const key = isFailure ? `${status} failure` : String(status);
    if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
    let statuses = this.#replies.get(operationId);
    const known = statuses?.get(key);
    if (known) return known;
    const product = this.#products.find(({ operations }) => Object.hasOwn(operations, operationId));
    if (!product) return undefined;
    if (!statuses) {
      statuses = new Map();
      this.#replies.set(operationId, statuses);
    }
    if (statuses.size >= maxStatuses) return undefined;
    const documented = documentedReply(product, operationId, key);
    const place = documented && bodyPlace(product, documented);
    const body = new Node(place, false, false);
    const trace: Trace = { replies: 0, bodies: 0, body, isFailure: isFailure || status >= 400, places: 0 };
    statuses.set(key, trace);
    return trace;
  }

  #note(trace: Trace, node: Node, value: unknown, level: number, budget: { values: number }): void {
    budget.values -= 1;
    node.see(this.#number);
    const type = typeOf(value);
    node.types[type] = (node.types[type] ?? 0) + 1;
    const documented = node.place?.values;
    if (documented && (value === null || typeof value !== 'object')) {
      // The value has any type, so `indexOf` does not compile.
      const at = documented.findIndex((known) => Object.is(known, value));
      if (at >= 0) {
        node.values = count(node.values, String(at));
        return;
      }
      node.otherValues += 1;
    }
    if (typeof value === 'string') {
      node.texts = count(node.texts, textClass(value));
      if (value !== '') node.lengths = count(node.lengths, lengthClass(value.length));
      const pattern = node.place?.pattern;
      if (pattern !== undefined && !matches(pattern, value)) node.misfits += 1;
    } else if (type === 'integer') {
      node.integers = count(node.integers, integerClass(Number(value)));
    } else if (level < maxLevels && Array.isArray(value)) {
      node.counts = count(node.counts, countClass(value.length));
      if (value.length === 0) return;
      node.items ??= new Node(node.place?.items, node.isKept, node.isInMap || this.#isMap(node));
      for (const item of value) {
        // Only whole records, so that the number of records without a field is right.
        if (budget.values <= 0) return;
        this.#note(trace, node.items, item, level + 1, budget);
      }
    } else if (level < maxLevels && type === 'object') {
      this.#noteFields(trace, node, Object(value), level, budget);
    }
  }

  #noteFields(
    trace: Trace,
    node: Node,
    value: Record<string, unknown>,
    level: number,
    budget: { values: number },
  ): void {
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      // Reached only by a record that is itself too large.
      if (budget.values <= -maxValues) return;
      const inner = node.fields?.get(name) ?? this.#field(trace, node, name);
      if (inner) this.#note(trace, inner, value[name], level + 1, budget);
      else {
        budget.values -= 1;
        node.unnamed += 1;
      }
    }
  }

  /**
   * Creates the node of a new field, or returns the node for the values of a map. Returns `undefined` if the name must not be written or
   * the limits are reached.
   */
  #field(trace: Trace, node: Node, name: string): Node | undefined {
    const place = node.place?.field(name);
    const isMap = this.#isMap(node) || (node.place?.excludesObjects === true && !this.#options.names);
    const isKnown = place !== undefined || (this.#names.has(name) && !(isMap && node.place?.entries));
    if (isMap && !isKnown) {
      node.entries ??= new Node(node.place?.entries, node.isKept, true);
      return node.entries;
    }
    if (!isKnown && (node.isInMap || node.manyNames || !looksLikeFieldName(name))) return undefined;
    if (place === undefined && trace.places >= maxPlaces) return undefined;
    if (!isKnown) {
      if (node.unknownNames >= maxNames) {
        node.forgetNames();
        return undefined;
      }
      node.unknownNames += 1;
    }
    trace.places += 1;
    // Details of failures have the names of parameters, which include the user's own.
    const isOwn = !this.#options.names && (trace.isFailure || this.#maps.has(name));
    const created = new Node(place ?? node.place?.entries, isKnown, node.isInMap || isMap || isOwn);
    node.fields ??= new Map();
    node.fields.set(name, created);
    return created;
  }

  #isMap({ place }: Node): boolean {
    return place?.isMap === true && !this.#options.names;
  }
}

interface Trace {
  replies: number;
  bodies: number;
  readonly body: Node;
  readonly isFailure: boolean;
  /** Number of places created in this trace. */
  places: number;
}

/** A shape during recording. */
class Node {
  types: Partial<Record<JsonType, number>> = {};
  replies = 0;
  multiple = 0;
  texts: Counts | undefined;
  lengths: Counts | undefined;
  integers: Counts | undefined;
  counts: Counts | undefined;
  values: Counts | undefined;
  otherValues = 0;
  misfits = 0;
  unnamed = 0;
  manyNames = false;
  unknownNames = 0;
  fields: Map<string, Node> | undefined;
  items: Node | undefined;
  entries: Node | undefined;
  /** Place in the spec, if documented. */
  readonly place: Place | undefined;
  /** Whether the specs have the name. Other names wait until enough records have them. */
  readonly isKept: boolean;
  /** Whether it is inside a map, where the names of records can be data, too. */
  readonly isInMap: boolean;
  /** Number of records with the field, over all exports. */
  seen = 0;
  #lastReply = 0;
  #inReply = 0;

  constructor(place: Place | undefined, isKept: boolean, isInMap: boolean) {
    this.place = place;
    this.isKept = isKept;
    this.isInMap = isInMap;
  }

  see(reply: number): void {
    this.seen += 1;
    if (this.#lastReply !== reply) {
      this.#lastReply = reply;
      this.#inReply = 1;
      this.replies += 1;
    } else {
      this.#inReply += 1;
      if (this.#inReply === 2) this.multiple += 1;
    }
  }

  /** Drops the undocumented names of an object that has too many for a record. */
  forgetNames(): void {
    this.manyNames = true;
    for (const [name, node] of this.fields ?? []) {
      if (node.isKept) continue;
      this.unnamed += node.seen;
      this.fields?.delete(name);
    }
  }

  /** Number of records since the last export. */
  get records(): number {
    return Object.values(this.types).reduce((sum, each) => sum + each, 0);
  }

  clear(): void {
    this.types = {};
    this.replies = 0;
    this.multiple = 0;
    this.texts = undefined;
    this.lengths = undefined;
    this.integers = undefined;
    this.counts = undefined;
    this.values = undefined;
    this.otherValues = 0;
    this.misfits = 0;
    this.unnamed = 0;
  }
}

function keepNames(node: Node, { fields = {}, items }: Shape): void {
  for (const [name, shape] of Object.entries(fields)) {
    const field =
      node.fields?.get(name) ?? new Node(node.place?.field(name) ?? node.place?.entries, true, node.isInMap);
    node.fields ??= new Map();
    node.fields.set(name, field);
    keepNames(field, shape);
  }
  if (!items) return;
  node.items ??= new Node(node.place?.items, node.isKept, node.isInMap);
  keepNames(node.items, items);
}

/** Returns the shape since the last export, and resets its counts. */
function takeShape(node: Node, isLast: boolean): Shape | undefined {
  const fields: Record<string, Shape> = {};
  let waiting = 0;
  for (const [name, field] of node.fields ?? []) {
    if (!field.isKept && field.seen < minRecords) {
      if (isLast) waiting += field.seen;
      continue;
    }
    const shape = takeShape(field, isLast);
    if (shape) fields[name] = shape;
  }
  const items = node.items && takeShape(node.items, isLast);
  const entries = node.entries && takeShape(node.entries, isLast);
  const { types, replies, multiple, texts, lengths, integers, counts, values, otherValues, misfits, manyNames } = node;
  const unnamed = node.unnamed + waiting;
  if (node.records === 0 && unnamed === 0) return undefined;
  const shape: Shape = {
    types,
    replies,
    multiple,
    ...(texts && { texts }),
    ...(lengths && { lengths }),
    ...(integers && { integers }),
    ...(counts && { counts }),
    ...(values && { values }),
    ...(otherValues > 0 && { otherValues }),
    ...(misfits > 0 && { misfits }),
    ...(unnamed > 0 && { unnamed }),
    ...(manyNames && { manyNames }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(items && { items }),
    ...(entries && { entries }),
  };
  node.clear();
  return shape;
}

function count(counts: Counts | undefined, name: string): Counts {
  if (!counts) return { [name]: 1 };
  counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}
