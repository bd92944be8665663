import type { ZodType } from 'zod';

/** The zod schemas of one operation in the generated files `validators.ts`: of what it takes on the wire, and of its reply. */
export interface OperationValidators {
  readonly path?: ZodType;
  readonly query?: ZodType;
  readonly body?: ZodType;
  /** Fields of the body that hold JSON as text → what the text holds. */
  readonly json?: Readonly<Record<string, ZodType>>;
  readonly reply?: ZodType;
}
