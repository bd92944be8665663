import type { Command } from 'commander';
import { createCommand, repeated, UsageError } from '../../shared/command-line.ts';
import {
  addListenOptions,
  isLoopback,
  type ListenFlags,
  type ListenOptions,
  readListenOptions,
} from '../../shared/server/listen-options.ts';
import { readVersion } from '../../shared/version.ts';
import { describeFaultFields, explainFault, zFault } from '../faults/fault-fields.ts';
import type { Fault, SandboxOptions } from '../index.ts';
import { maxSeed } from '../limits.ts';
import { maxKeys, type OptionField, optionFields } from '../option-fields.ts';
import { scenarioNames } from '../world/scenarios/scenarios.ts';
import type { SandboxConfig } from './config.ts';

export interface SandboxCommandOptions extends ListenOptions {
  /** Whether to omit the line for each request. */
  quiet: boolean;
  /** Folder that keeps the data, or `undefined` to keep the data in memory. */
  data: string | undefined;
  /** Whether a response to a write waits until the data is on disk. */
  dataSync: boolean;
  sandbox: SandboxOptions;
}

/** The options as a user types them. */
export interface SandboxFlags extends ListenFlags {
  seed?: string;
  start?: string;
  /** Name of a scenario, or path of its file. */
  scenario?: string;
  tariff?: string;
  currency?: string;
  apiKey?: string[];
  client?: string[];
  control?: boolean;
  controlToken?: string;
  controlOrigin?: string[];
  data?: string;
  dataSync?: boolean;
  worlds?: string;
  maxWorlds?: string;
  expireWorlds?: string;
  fault?: string[];
  strict?: boolean;
  ownField?: string[];
  quiet?: boolean;
  /** Path of the configuration file. */
  config?: string;
}

const defaultPort = 4012;

/** Returns the part of the help text that describes the properties of a fault. */
function faultHelp(): string {
  const lines = Object.entries(describeFaultFields()).map(([name, about]) => `  ${name.padEnd(12)} ${about}`);
  return `\nProperties of a fault:\n${lines.join('\n')}`;
}

/**
 * Creates the command. The command has an option for each option of `createSandbox`.
 *
 * @param line - the command as a user types it, without options
 */
export function sandboxCommand(line: string): Command {
  const about = 'Serves a stateful sandbox of the whole API that enforces the documented rules.';
  return addListenOptions(
    createCommand(line, about).version(readVersion(), '--version', 'show the version'),
    defaultPort,
  )
    .option(
      '--seed <number>',
      "number of contacts, emails and other records to add to the small data set, or 'none' for no data (default: 0)",
    )
    .option('--start <time>', 'start of the clock in UTC: 2026-11-04 or 2026-11-04T12:00:00Z (default: now)')
    .option(
      '--scenario <name>',
      `scenario to start with: ${scenarioNames.join(', ')}, or the path of a JSON file; its fields replace --seed, --start, --api-key and --fault`,
    )
    .option('--tariff <name>', "tariff of the account: 'paid' or 'free' (default 'paid')")
    .option('--currency <code>', 'currency of the account (default EUR)')
    .option('--api-key <key>', 'accepted API key; can be repeated (default: any key)', repeated)
    .option('--client <id:secret>', 'accepted client credentials; can be repeated (default: any credentials)', repeated)
    .option(
      '--control',
      'allow control requests to /__sandbox/, and serve the inspector page at / (default: on, unless other machines can reach the server)',
    )
    .option('--no-control', 'reject control requests, and do not serve the inspector page')
    .option(
      '--control-token <token>',
      'token that control requests must send (default: a new one if other machines can reach the server)',
    )
    .option('--control-origin <origin>', 'origin whose pages can send control requests; can be repeated', repeated)
    .option('--data <folder>', 'keep data and clock in this folder (default: in memory)')
    .option('--data-sync', 'respond to a write only after the data are on disk, so that they survive a power failure')
    .option(
      '--worlds <kind>',
      "which requests share a world (data, clock, faults and log): 'shared' (default), 'credential' or 'header:<name>'",
    )
    .option('--max-worlds <number>', 'maximum number of worlds, not counting the default world (default 100)')
    .option('--expire-worlds <hours>', 'delete a world after this many hours without use (default: never)')
    .option(
      '--fault <json>',
      `a fault, such as '${exampleFault}'; can be repeated; for its properties, see below`,
      repeated,
    )
    .option('--strict', 'reject fields and parameters that the specs do not describe')
    .option(
      '--own-field <name>',
      'name of a custom field of the account, accepted even with --strict; can be repeated',
      repeated,
    )
    .option('-q, --quiet', 'do not print a line for each request')
    .option(
      '--config <file>',
      'JSON file with options, named as in createSandbox; options on the command line take precedence',
    )
    .addHelpText('after', faultHelp);
}

/**
 * Reads the options.
 *
 * @param config - content of the files that the options name
 * @param createToken - creates a control token; called only if the sandbox requires a new token
 * @throws `UsageError` for an invalid value
 */
export function readSandboxOptions(
  flags: SandboxFlags,
  config: SandboxConfig = {},
  createToken: () => string = () => '',
): SandboxCommandOptions {
  const listen = readListenOptions(flags, {
    port: config.port ?? defaultPort,
    ...(config.host && { host: config.host }),
  });
  const { seed, start, tariff, currency, apiKey, client, worlds, maxWorlds } = flags;
  const data = flags.data ?? config.data;
  const dataSync = flags.dataSync ?? config.dataSync ?? false;
  if (dataSync && !data) throw new UsageError('--data-sync requires --data.');
  return {
    ...listen,
    quiet: flags.quiet ?? config.quiet ?? false,
    data: data || undefined,
    dataSync,
    sandbox: withoutUndefined({
      seed: seed === undefined ? (config.seed ?? 0) : parseSeed(seed),
      startAt: start === undefined ? config.startAt : parseStart(start),
      scenario: config.scenario,
      tariff: tariff === undefined ? config.tariff : checked(optionFields.tariff, ['--tariff', tariff], tariff),
      currency:
        currency === undefined ? config.currency : checked(optionFields.currency, ['--currency', currency], currency),
      apiKeys: apiKey === undefined ? config.apiKeys : parseApiKeys(apiKey),
      clients: client?.map(parseClient) ?? config.clients,
      worlds: worlds === undefined ? config.worlds : parseWorlds(worlds),
      maxWorlds:
        maxWorlds === undefined
          ? config.maxWorlds
          : checked(optionFields.maxWorlds, ['--max-worlds', maxWorlds], wholeNumber(maxWorlds)),
      worldsExpireAfter: flags.expireWorlds === undefined ? config.worldsExpireAfter : parseHours(flags.expireWorlds),
      faults: flags.fault?.map(parseFault) ?? config.faults,
      strict: flags.strict ?? config.strict,
      ownFields: flags.ownField ?? config.ownFields,
      control: parseControl(flags, config, listen.host, createToken),
    }),
  };
}

function parseControl(
  flags: SandboxFlags,
  { control: config, worlds }: SandboxConfig,
  host: string,
  createToken: () => string,
): NonNullable<SandboxOptions['control']> {
  const fromFile = typeof config === 'object' ? config : {};
  const { control, controlToken, controlOrigin } = flags;
  const access = withoutUndefined({
    token: controlToken || fromFile.token,
    origins: controlOrigin ?? fromFile.origins,
  });
  const isAsked = typeof config === 'object' || config === true || access.token !== undefined;
  const isOn = typeof control === 'boolean' ? control : config !== false && (isAsked || isLoopback(host));
  if (!isOn) return false;
  // Access to the worlds of other users requires a token.
  const isPrivate = (flags.worlds ?? worlds ?? 'shared') === 'shared' && isLoopback(host);
  return isPrivate || access.token ? access : { ...access, token: createToken() };
}

/**
 * Checks an option of `createSandbox` that comes from the command line.
 *
 * @param value - the parsed value, or `undefined` if the text cannot be parsed
 * @param must - description of valid values (default: the description of the option)
 * @throws `UsageError` if the value is invalid
 */
function checked<Value>(
  { schema, must: usual }: OptionField<Value>,
  [flag, text]: [flag: string, text: string],
  value: unknown,
  must = usual,
): Value {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new UsageError(`${flag} must be ${must}, not '${text}'.`);
  return data;
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function parseSeed(text: string): boolean | number {
  const value = text === 'none' ? false : wholeNumber(text);
  return checked(
    optionFields.seed,
    ['--seed', text],
    value,
    `'none' or a whole number of records from 0 to ${maxSeed}`,
  );
}

function parseStart(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : undefined;
  return checked(optionFields.startAt, ['--start', text], time, 'a time such as 2026-11-04T12:00:00Z');
}

function parseClient(text: string): { clientId: string; clientSecret: string } {
  const [, clientId, clientSecret] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (!clientId || !clientSecret)
    throw new UsageError('--client must be an ID and a secret, as in --client shop:hush.');
  return { clientId, clientSecret };
}

/** Checks API keys. Messages must not show the keys. */
function parseApiKeys(keys: string[]): string[] {
  if (optionFields.apiKeys.schema.safeParse(keys).success) return keys;
  throw new UsageError(`--api-key must be a non-empty string, given at most ${maxKeys} times.`);
}

function parseWorlds(text: string): NonNullable<SandboxOptions['worlds']> {
  const [, header] = /^header:(.*)$/.exec(text) ?? [];
  const must = "'shared', 'credential' or 'header:<name>', such as 'header:x-world'";
  return checked(optionFields.worlds, ['--worlds', text], header === undefined ? text : { header }, must);
}

const exampleFault = '{"operation": "getDeal", "status": 503}';

function parseFault(text: string): Fault {
  const { data, error } = zFault.safeParse(readFault(text));
  if (data) return data;
  throw new UsageError(`--fault ${text}: ${error && explainFault(error.issues)}`);
}

function readFault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--fault ${text}: the value is not JSON`);
  }
}

function parseHours(text: string): number {
  const hours = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 3_600_000 : undefined;
  return checked(optionFields.worldsExpireAfter, ['--expire-worlds', text], hours, 'a number of hours above 0');
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function withoutUndefined<Values extends object>(values: Values): Present<Values>;
function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
