import { z } from 'zod';

/** Commands to a worker, run in this order. */
export const commandSchema = z.object({
  /** Makes a new client with a correct clock. */
  connect: z.object({ baseUrl: z.string(), redisUrl: z.string() }).optional(),
  /** Advances the clock by this many milliseconds. */
  advance: z.number().optional(),
  /** Makes this many concurrent calls. */
  calls: z.number().optional(),
  /** Waits until the store has answered the client's writes, which calls do not wait for. */
  settle: z.boolean().optional(),
});

export const reportSchema = z.object({
  /** Messages of failed calls. */
  failures: z.array(z.string()),
  /** The client's warnings since the last report. */
  warnings: z.array(z.string()),
});

export type Command = z.infer<typeof commandSchema>;
export type Report = z.infer<typeof reportSchema>;
