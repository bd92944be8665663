import * as z from 'zod';
import type { Ledger } from './ledger.ts';
import { Table } from './table.ts';

/** A value that is not part of a collection, such as a counter. */
export interface Setting {
  name: string;
  value: unknown;
}

const zSetting = z.object({ name: z.string(), value: z.unknown() });

/** Named values of one product, stored as the records of a table, so that transactions include them. */
export class Settings<Values extends object> {
  readonly table: Table<string, Setting>;
  readonly #defaults: Readonly<Values>;
  readonly #schema: z.ZodType;

  /**
   * @param defaults - default values of the settings
   *
   * @internal
   */
  constructor(
    ledger: Ledger,
    name: string,
    { defaults, schema }: { defaults: Readonly<Values>; schema: z.ZodType<Partial<NoInfer<Values>>> },
  ) {
    this.table = new Table<string, Setting>(ledger, name, { key: (setting) => setting.name, schema: zSetting });
    this.#defaults = defaults;
    this.#schema = schema;
  }

  get name(): string {
    return this.table.name;
  }

  /** @internal */
  get schema(): z.ZodType {
    return this.#schema;
  }

  get size(): number {
    return this.table.size;
  }

  get<Name extends keyof Values & string>(name: Name): Values[Name] {
    const setting = this.table.get(name);
    // `set` and the schema of the table ensure the type.
    return setting ? (setting.value as Values[Name]) : this.#defaults[name];
  }

  set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void {
    this.table.put({ name, value });
  }

  /** Returns the settings that have been set, by name. */
  save(): { [name: string]: unknown } {
    return Object.fromEntries(Array.from(this.table.values(), ({ name, value }) => [name, value]));
  }

  load(content: { readonly [name: string]: unknown }): void {
    for (const [name, value] of Object.entries(content)) this.table.put({ name, value });
  }
}

/** Returns the next free ID for a product, and advances its counter. */
export function newId({ settings }: { settings: Settings<{ nextId: number }> }): number {
  const id = settings.get('nextId');
  settings.set('nextId', id + 1);
  return id;
}
