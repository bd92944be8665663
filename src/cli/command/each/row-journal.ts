import { chmodSync, existsSync, statSync } from 'node:fs';
import { type Journal, openJournal } from 'carillon/journal';
import { isRecord } from '../../../shared/is-record.ts';
import type { Params } from '../../catalogue/check-params.ts';
import { ConfigurationError } from '../exit-codes.ts';

/** The journal of a run, which may not exist yet. */
export class RowJournal {
  readonly #file: string;
  readonly #step: string;
  #journal: Journal | undefined;

  constructor(file: string, step: string) {
    this.#file = file;
    this.#step = step;
  }

  /** Opens an existing journal. A new one is created only after a person agrees. */
  async openIfThere(): Promise<this | undefined> {
    if (!existsSync(this.#file)) return undefined;
    await this.open();
    return this;
  }

  async open(): Promise<void> {
    if (this.#journal) return;
    // Only the user can read the journal, because it contains personal data. SQLite gives its other files the same rights.
    const before = process.umask(0o077);
    try {
      // Not of a device such as /dev/null, which every program uses. The journal refuses it below.
      if (statSync(this.#file, { throwIfNoEntry: false })?.isFile()) chmodSync(this.#file, 0o600);
      this.#journal = await openJournal({ file: this.#file });
    } catch (error) {
      throw new ConfigurationError(error instanceof Error ? error.message : String(error), { cause: error });
    } finally {
      process.umask(before);
    }
  }

  isDone(key: string): boolean {
    return this.#opened.isDone(key, this.#step);
  }

  async decide(key: string, id: string | undefined): Promise<void> {
    await this.#opened.decide(key, this.#step, id);
  }

  async once(
    row: string,
    values: unknown,
    send: (marker: string) => Promise<number | string>,
    find: (values: Params, marker: string) => Promise<number | string | undefined>,
  ): Promise<number | string> {
    return this.#opened.once({
      row,
      step: this.#step,
      values,
      send: (_, marker) => send(marker),
      find: (sent, marker) => find(isRecord(sent) ? sent : {}, marker),
    });
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  get #opened(): Journal {
    if (!this.#journal) throw new Error('The journal is not open');
    return this.#journal;
  }
}
