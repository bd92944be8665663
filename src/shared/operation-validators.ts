import type { ZodType } from 'zod';

/** The zod schemas of one operation in the generated files `validators.ts`, for its request on the wire and its response. */
export interface OperationValidators {
  readonly path?: ZodType;
  readonly query?: ZodType;
  readonly body?: ZodType;
  /** Fields of the body that contain JSON as a string → schema of that JSON. */
  readonly json?: Readonly<Record<string, ZodType>>;
  readonly response?: ZodType;
}
