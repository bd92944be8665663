import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../shared/command-line.ts';
import { zFault } from '../fault-fields.ts';
import type { SandboxOptions } from '../index.ts';
import type { Scenario } from '../scenario.ts';
import { readScenario } from '../scenario-fields.ts';
import { Scenarios } from '../scenarios.ts';

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
  scenario: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).optional(),
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
export type SandboxConfig = Omit<z.output<typeof schema>, 'scenario'> & Pick<SandboxOptions, 'scenario'>;

/**
 * Reads the files that options name: the configuration, and the scenario.
 *
 * @throws `UsageError` if a file or a scenario does not exist or is invalid
 */
export function readFiles({
  config,
  scenario,
}: {
  config?: string | undefined;
  scenario?: string | undefined;
}): SandboxConfig {
  return {
    ...(config !== undefined && readConfig(config)),
    ...(scenario !== undefined && { scenario: explained('--scenario', scenario, () => findScenario(scenario)) }),
  };
}

export function readConfig(file: string): SandboxConfig {
  return explained('--config', file, () => {
    const { scenario, ...config } = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return {
      ...config,
      ...(scenario && { scenario: findScenario(scenario, dirname(file)) }),
    };
  });
}

/** @throws `UsageError` that names the option and the reason of a failure */
function explained<Result>(option: string, value: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error;
    throw new UsageError(`${option} ${value}: ${reason}`);
  }
}

/**
 * Returns a scenario, given the name of a built-in one, the path of a JSON file, or the scenario itself.
 *
 * @param folder - folder that a relative path refers to
 */
function findScenario(given: string | object, folder = '.'): Scenario {
  if (typeof given !== 'string') return readScenario(given);
  const isFile = /[./\\]/.test(given);
  return isFile ? readScenario(JSON.parse(readFileSync(resolve(folder, given), 'utf8'))) : new Scenarios().read(given);
}
