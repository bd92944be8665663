import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../../shared/command-line.ts';
import { zFault } from '../fault-fields.ts';

/** A time in milliseconds since 1970, or as an ISO date in UTC. */
const time = z.union([z.number(), z.iso.date(), z.iso.datetime()]).transform((value) => new Date(value).getTime());

const schema = z.strictObject({
  port: z.int().min(0).max(65535).optional(),
  host: z.string().min(1).optional(),
  quiet: z.boolean().optional(),
  seed: z.union([z.boolean(), z.int().min(0)]).optional(),
  startAt: time.optional(),
  tariff: z.enum(['paid', 'free']).optional(),
  currency: z.string().optional(),
  apiKeys: z.array(z.string().min(1)).optional(),
  clients: z.array(z.strictObject({ clientId: z.string(), clientSecret: z.string() })).optional(),
  data: z.string().min(1).optional(),
  dataSync: z.boolean().optional(),
  worlds: z
    .union([z.enum(['shared', 'credential']), z.strictObject({ header: z.string().regex(/^[\w-]+$/) })])
    .optional(),
  maxWorlds: z.int().min(1).optional(),
  worldsExpireAfter: z.number().positive().optional(),
  worldLimits: z.strictObject({ records: z.int().min(1).optional(), characters: z.int().min(1).optional() }).optional(),
  faults: z.array(zFault).optional(),
  strict: z.boolean().optional(),
  ownFields: z.array(z.string()).optional(),
  control: z
    .union([
      z.boolean(),
      z.strictObject({ token: z.string().min(1).optional(), origins: z.array(z.string()).optional() }),
    ])
    .optional(),
});

/** The options of `carillon-sandbox` in a file: those of `createSandbox`, and `port`, `host`, `quiet`,
 * `data` and `dataSync`. */
export type SandboxConfig = z.output<typeof schema>;

/**
 * Reads a configuration file.
 *
 * @throws `UsageError` if there is no such file, or if something in it is wrong
 */
export function readConfig(file: string): SandboxConfig {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error;
    throw new UsageError(`--config ${file}: ${reason}`);
  }
}
