import type { ZodType } from 'zod';

/** The zod schemas of one operation in the generated files `validators.ts`, for its request on the wire and its response. */
export interface OperationValidators {
  readonly path?: ZodType;
  readonly query?: ZodType;
  readonly body?: ZodType;
  /** Maps each body field that contains JSON as a string to the schema of that JSON. */
  readonly json?: Readonly<Record<string, ZodType>>;
  readonly response?: ZodType;
}
