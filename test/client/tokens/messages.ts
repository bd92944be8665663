import { z } from 'zod';

/** Asks a worker for any of these, in this order. */
export const commandSchema = z.object({
  /** Make a new client, whose clock is right. */
  connect: z.object({ baseUrl: z.string(), redisUrl: z.string() }).optional(),
  /** Set the clock forward by milliseconds. */
  advance: z.number().optional(),
  /** Make so many calls at once. */
  calls: z.number().optional(),
  /** Report only once the store has answered what the client wrote, which calls do not wait for. */
  settle: z.boolean().optional(),
});

export const reportSchema = z.object({
  /** Messages of the calls that failed. */
  failures: z.array(z.string()),
  /** What the client has warned of since the last report. */
  warnings: z.array(z.string()),
});

export type Command = z.infer<typeof commandSchema>;
export type Report = z.infer<typeof reportSchema>;
