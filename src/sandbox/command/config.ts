import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../shared/command-line.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { SandboxOptions } from '../index.ts';
import { explainOptions, type OptionFields, optionFields, schemaOf } from '../option-fields.ts';
import type { Scenario } from '../world/scenarios/scenario.ts';
import { readScenario } from '../world/scenarios/scenario-fields.ts';
import { Scenarios } from '../world/scenarios/scenarios.ts';

/** A time in milliseconds since 1970, or as an ISO date in UTC. */
const time = z.union([z.number(), z.iso.date(), z.iso.datetime()]).transform((value) => new Date(value).getTime());
const nonEmpty = z.string().min(1);
const { store: _, ...sandboxFields } = optionFields;

/** Options in a configuration file: the options of `createSandbox` that JSON can express, and some options of the command. */
const fields = {
  ...sandboxFields,
  startAt: { schema: time, must: "a time such as '2026-11-04T12:00:00Z', or a number of milliseconds since 1970" },
  scenario: {
    schema: z.union([nonEmpty, z.record(z.string(), z.unknown())]),
    must: 'the name of a scenario, the path of a scenario file, or a scenario object',
  },
  port: { schema: z.int().min(0).max(65_535), must: 'a whole number from 0 to 65535' },
  host: { schema: nonEmpty, must: 'a non-empty string' },
  quiet: { schema: z.boolean(), must: 'true or false' },
  data: { schema: nonEmpty, must: 'the path of a folder' },
  dataSync: { schema: z.boolean(), must: 'true or false' },
} satisfies OptionFields;

const schema = schemaOf(fields);

/**
 * Options of `carillon-sandbox` in a configuration file: the options of `createSandbox`, and `port`, `host`, `quiet`, `data`
 * and `dataSync`.
 */
export type SandboxConfig = Omit<z.output<typeof schema>, 'scenario'> & Pick<SandboxOptions, 'scenario'>;

/**
 * Reads the files that the options name: the configuration file and the scenario file.
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

/** @throws `UsageError` that names the option and the reason if reading fails */
function explained<Result>(option: string, value: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof z.ZodError ? explainOptions(error, fields) : messageOf(error);
    throw new UsageError(`${option} ${value}: ${reason}`);
  }
}

/**
 * Returns a scenario, given the name of a built-in scenario, the path of a JSON file, or a scenario object.
 *
 * @param folder - folder that a relative path refers to
 */
function findScenario(given: string | object, folder = '.'): Scenario {
  if (typeof given !== 'string') return readScenario(given);
  const isFile = /[./\\]/.test(given);
  return isFile ? readScenario(JSON.parse(readFileSync(resolve(folder, given), 'utf8'))) : new Scenarios().read(given);
}
