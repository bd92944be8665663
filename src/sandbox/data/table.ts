import type { ZodType } from 'zod';
import type { Change, Ledger, Participant } from './ledger.ts';

/** An observer of the changes to a table, such as an index. */
export interface Watcher<Key, Entry> {
  /** `before` is absent for a new record, and `after` is absent for a deleted record. */
  changed(key: Key, before: Entry | undefined, after: Entry | undefined): void;
}

/** Description of the records in a table. */
interface RecordsOf<Key, Entry> {
  key(entry: Readonly<Entry>): Key;
  /** Schema of a record in a snapshot. */
  schema: ZodType<NoInfer<Entry>>;
  /**
   * The IDs of a record that come from the counter `nextId` of its product. When a snapshot is restored, the counter is raised
   * above these IDs.
   */
  ids?(entry: Readonly<Entry>): readonly number[];
  /** Values that form the human-readable title of a record, such as its name. If omitted, the title is empty. */
  title?(entry: Readonly<Entry>): readonly unknown[];
}

/** Returns the values of some fields in a record. */
export function valuesOf<Record extends object>(record: Record, fields: readonly (keyof Record)[]): unknown[] {
  return fields.map((field) => record[field]);
}

/**
 * Creates a table of records by ID.
 *
 * @param titles - fields that form the human-readable title of a record, such as its name
 * @internal
 */
export function tableById<Entry extends { id: number }>(
  ledger: Ledger,
  name: string,
  schema: ZodType<NoInfer<Entry>>,
  titles: readonly (keyof Entry)[] = [],
): Table<number, Entry> {
  return new Table<number, Entry>(ledger, name, {
    key: ({ id }) => id,
    schema,
    title: (entry) => valuesOf(entry, titles),
    ids: ({ id }) => [id],
  });
}

/**
 * A collection of records by key, in order of insertion. Records are immutable plain JSON data; `put` replaces a record. A
 * rollback therefore restores references, and a snapshot copies only references.
 */
export class Table<Key extends string | number, Entry extends object>
  extends Map<Key, Readonly<Entry>>
  implements Participant
{
  /** Name in snapshots and in stores, such as `crm.contacts`. */
  readonly name: string;
  readonly #records: RecordsOf<Key, Entry>;
  readonly #ledger: Ledger;
  readonly #watchers: Watcher<Key, Readonly<Entry>>[] = [];
  /** Earlier versions of the records that the running transaction changed. */
  #before: Map<Key, Readonly<Entry> | undefined> | undefined;
  /** All keys in their order before the running transaction deleted a record, so that a rollback restores this order. */
  #order: readonly Key[] | undefined;

  // The declarations omit the schema, so that users of a sandbox do not load the types of zod.

  /** @internal */
  constructor(ledger: Ledger, name: string, records: RecordsOf<Key, Entry>) {
    super();
    this.#ledger = ledger;
    this.name = name;
    this.#records = records;
  }

  /** @internal */
  get schema(): ZodType {
    return this.#records.schema.array();
  }

  /**
   * Schema of a record in a snapshot.
   *
   * @internal
   */
  get entrySchema(): ZodType {
    return this.#records.schema;
  }

  /** Returns the human-readable title of a record. */
  titleOf(entry: Readonly<Entry>): string {
    const values = this.#records.title?.(entry) ?? [];
    return values.filter((value) => typeof value === 'string').join(' ');
  }

  /** Returns the records with these keys, such as the keys of an index. Keys without a record are omitted. */
  getAll(keys: Iterable<Key>): Readonly<Entry>[] {
    return Array.from(keys).flatMap((key) => this.get(key) ?? []);
  }

  /** Stores a record, and replaces an earlier record with the same key. Returns the record. */
  put<Given extends Readonly<Entry>>(entry: Given): Given {
    this.#change(this.#records.key(entry), entry);
    return entry;
  }

  /** Adds an index over the current and all later records. */
  watch<Index extends Watcher<Key, Readonly<Entry>>>(index: Index): Index {
    this.#watchers.push(index);
    for (const [key, entry] of this) index.changed(key, undefined, entry);
    return index;
  }

  /** @throws `RangeError` if the key differs from the key of the record */
  override set(key: Key, entry: Readonly<Entry>): this {
    if (this.#records.key(entry) !== key)
      throw new RangeError(
        `${this.name}: the key ${key} differs from the key of the record, ${this.#records.key(entry)}`,
      );
    this.#change(key, entry);
    return this;
  }

  override delete(key: Key): boolean {
    if (!this.has(key)) return false;
    this.#change(key, undefined);
    return true;
  }

  override clear(): void {
    if (this.#ledger.isOpen) for (const key of [...this.keys()]) this.delete(key);
    else this.#ledger.run(() => this.clear());
  }

  /** Returns the records, in order. */
  save(): Readonly<Entry>[] {
    return [...this.values()];
  }

  load(content: readonly Readonly<Entry>[]): void {
    for (const entry of content) this.put(entry);
  }

  /** Returns the highest ID that comes from the counter for new IDs, or 0. */
  highestId(): number {
    const { ids } = this.#records;
    let most = 0;
    if (ids) for (const entry of this.values()) for (const id of ids(entry)) if (id > most) most = id;
    return most;
  }

  /** Changes in the running transaction. */
  changes(): Change[] {
    const changes: Change[] = [];
    for (const [key, before] of this.#before ?? []) {
      const after = this.get(key);
      if (after === before) continue;
      const growth = Number(after !== undefined) - Number(before !== undefined);
      changes.push({ table: this.name, key, growth, ...(after && { value: after }) });
    }
    return changes;
  }

  commit(): void {
    this.#before = undefined;
    this.#order = undefined;
  }

  rollBack(): void {
    for (const [key, before] of this.#before ?? []) {
      const present = this.get(key);
      if (before) super.set(key, before);
      else super.delete(key);
      if (present !== before) this.#notify(key, present, before);
    }
    for (const key of this.#order ?? []) {
      const entry = this.get(key);
      super.delete(key);
      if (entry) super.set(key, entry);
    }
    this.commit();
  }

  #change(key: Key, after: Readonly<Entry> | undefined): void {
    const { isOpen, listener } = this.#ledger;
    // The listener can reject the change, so the change requires a transaction.
    if (listener && !isOpen) {
      this.#ledger.run(() => this.#change(key, after));
      return;
    }
    const before = this.get(key);
    if (isOpen) this.#remember(key, before);
    if (isOpen && !after) this.#order ??= [...this.keys()];
    if (after) super.set(key, after);
    else super.delete(key);
    this.#notify(key, before, after);
  }

  #remember(key: Key, before: Readonly<Entry> | undefined): void {
    if (!this.#before) {
      this.#before = new Map();
      this.#ledger.join(this);
    }
    if (!this.#before.has(key)) this.#before.set(key, before);
  }

  #notify(key: Key, before: Readonly<Entry> | undefined, after: Readonly<Entry> | undefined): void {
    for (const watcher of this.#watchers) watcher.changed(key, before, after);
  }
}
