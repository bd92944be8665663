import type { ZodType } from 'zod';

/** A table or settings, as a part of a state that snapshots contain. */
export interface Part {
  /** Place in a snapshot, such as `crm.contacts`. */
  readonly name: string;
  /**
   * Schema of its content in a snapshot.
   *
   * @internal
   */
  readonly schema: ZodType;
  /** Number of records. */
  readonly size: number;
  /** Returns the content as plain JSON data. */
  save(): unknown;
  /** Adds content that `save` has returned, or that the schema of the part permits. */
  load(content: unknown): void;
}
