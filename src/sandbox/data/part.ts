import type { ZodType } from 'zod';

/** A part of a state that snapshots contain: a table, or settings. */
export interface Part {
  /** Place in a snapshot, such as `crm.contacts`. */
  readonly name: string;
  /**
   * What its content in a snapshot must look like.
   *
   * @internal
   */
  readonly schema: ZodType;
  /** Returns the content as plain JSON data. */
  save(): unknown;
  /** Adds content that `save` has returned, or that the schema of the part permits. */
  load(content: unknown): void;
}
