import {
  type Command,
  describeOptions,
  isLoopback,
  type ListenOptions,
  parseOptions,
  UsageError,
} from '../../shared/server/options.ts';
import type { SandboxOptions } from '../index.ts';
import type { SandboxConfig } from './config.ts';

export interface SandboxCommandOptions extends ListenOptions {
  /** Path of the configuration file, if any. */
  config: string | undefined;
  /** Whether it prints no line per request. */
  quiet: boolean;
  /** Folder that keeps the data, or `undefined` to keep it in memory. */
  data: string | undefined;
  /** Whether a write also waits for the disk. */
  dataSync: boolean;
  sandbox: SandboxOptions;
}

/** Each option of `createSandbox` is an option of the command. */
function sandboxCommand(line: string) {
  const text = (value: string, described: string) => ({ type: 'string', value, text: described }) as const;
  return {
    line,
    port: 4012,
    options: {
      seed: text(
        'number',
        'contacts, emails and other records to add to the small data set; none starts empty (default 0)',
      ),
      start: text('time', 'start of the clock in UTC: 2026-11-04 or 2026-11-04T12:00:00Z (default: now)'),
      tariff: text('name', 'tariff of the account: paid or free (default paid)'),
      currency: text('code', 'currency of the account (default EUR)'),
      'api-key': { ...text('key', 'an accepted API key; repeat it for several (default: any key)'), multiple: true },
      client: {
        ...text('id:secret', 'accepted client credentials; repeat it for several (default: any)'),
        multiple: true,
      },
      control: {
        type: 'boolean',
        negatable: true,
        text: 'allow control requests to /__sandbox/, and serve the page (default: on, unless other machines can reach the server)',
      },
      'control-token': text(
        'token',
        'token that control requests must send (default: a new one if other machines can reach the server)',
      ),
      'control-origin': {
        ...text('origin', 'pages of this origin can send control requests; repeat it for several'),
        multiple: true,
      },
      data: text('folder', 'keep data and clock in this folder (default: in memory)'),
      'data-sync': {
        type: 'boolean',
        text: 'reply to a write only after it is on the disk (survives a power failure)',
      },
      worlds: text('kind', 'separate data, clock, faults and log: shared (default), credential or header:<name>'),
      'max-worlds': text('number', 'maximum number of worlds (default 100)'),
      strict: { type: 'boolean', text: 'refuse fields and parameters that the specs do not describe' },
      'own-field': {
        ...text('name', "one of the account's own fields, which --strict permits; repeat it for several"),
        multiple: true,
      },
      quiet: { type: 'boolean', short: 'q', text: 'print no line per request' },
      config: text('file', 'JSON file with options, by their names in createSandbox; the command line overrides it'),
    },
  } satisfies Command<string>;
}

/**
 * Parses the command line.
 *
 * @param line - the command as a user types it, without options
 * @param config - content of the configuration file
 * @param createToken - creates a control token, if one is needed
 */
export function parseSandboxOptions(
  line: string,
  args: string[],
  config: SandboxConfig = {},
  createToken: () => string = () => '',
): SandboxCommandOptions {
  const command = sandboxCommand(line);
  const listening = { port: config.port ?? command.port, host: config.host };
  const { given, ...listen } = parseOptions({ ...command, ...listening }, args);
  const { seed, start, tariff, currency, 'api-key': apiKeys, client, quiet, worlds, strict } = given;
  const data = asText(given.data) ?? config.data;
  const dataSync = given['data-sync'] === true || (given['data-sync'] === undefined && config.dataSync === true);
  if (dataSync && !data) throw new UsageError('--data-sync needs --data.');
  const mostWorlds = asText(given['max-worlds']);
  return {
    ...listen,
    config: asText(given.config),
    quiet: quiet === true || (quiet === undefined && config.quiet === true),
    data: data || undefined,
    dataSync,
    sandbox: withoutUndefined({
      seed: typeof seed === 'string' ? parseSeed(seed) : (config.seed ?? 0),
      startAt: typeof start === 'string' ? parseStart(start) : config.startAt,
      tariff: typeof tariff === 'string' ? parseTariff(tariff) : config.tariff,
      currency: parseCurrency(asText(currency) ?? config.currency),
      apiKeys: asList(apiKeys) ?? config.apiKeys,
      clients: asList(client)?.map(parseClient) ?? config.clients,
      worlds: typeof worlds === 'string' ? parseWorlds(worlds) : config.worlds,
      maxWorlds: mostWorlds === undefined ? config.maxWorlds : parseMaxWorlds(mostWorlds),
      strict: typeof strict === 'boolean' ? strict : config.strict,
      ownFields: asList(given['own-field']) ?? config.ownFields,
      control: parseControl(given, config.control, listen.host, createToken),
    }),
  };
}

export function describeSandboxOptions(line: string): string {
  return `Serves a stateful sandbox of the whole API that enforces the documented rules.

${describeOptions(sandboxCommand(line))}`;
}

type Given = Record<string, string | boolean | string[] | undefined>;

function parseControl(
  { control, 'control-token': token, 'control-origin': origins }: Given,
  config: SandboxConfig['control'],
  host: string,
  createToken: () => string,
): NonNullable<SandboxOptions['control']> {
  const fromFile = typeof config === 'object' ? config : {};
  const access = withoutUndefined({
    token: asText(token) || fromFile.token,
    origins: asList(origins) ?? fromFile.origins,
  });
  const isAsked = typeof config === 'object' || config === true || access.token !== undefined;
  const isOn = typeof control === 'boolean' ? control : config !== false && (isAsked || isLoopback(host));
  if (!isOn) return false;
  return isLoopback(host) || access.token ? access : { ...access, token: createToken() };
}

function parseSeed(text: string): number | false {
  if (text === 'none') return false;
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`--seed is a whole number of records, not '${text}'.`);
  return Number(text);
}

function parseStart(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`--start is a time such as 2026-11-04T12:00:00Z, not '${text}'.`);
  return time;
}

function parseTariff(text: string): 'paid' | 'free' {
  if (text !== 'paid' && text !== 'free') throw new UsageError(`--tariff is paid or free, not '${text}'.`);
  return text;
}

function parseCurrency(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[A-Z]{3}$/.test(text))
    throw new UsageError(`--currency is a code of three letters, such as USD, not '${text}'.`);
  return text;
}

function parseClient(text: string): { clientId: string; clientSecret: string } {
  const [, clientId, clientSecret] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (!clientId || !clientSecret) throw new UsageError('--client is an ID and a secret, as in --client shop:hush.');
  return { clientId, clientSecret };
}

function parseWorlds(text: string): NonNullable<SandboxOptions['worlds']> {
  if (text === 'shared' || text === 'credential') return text;
  const [, header] = /^header:([\w-]+)$/.exec(text) ?? [];
  if (header === undefined)
    throw new UsageError(`--worlds is shared, credential or header:<name>, such as header:x-world, not '${text}'.`);
  return { header };
}

function parseMaxWorlds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--max-worlds is a whole number above 0, not '${text}'.`);
  return Number(text);
}

function asText(value: Given[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asList(value: Given[string]): string[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function withoutUndefined<Values extends object>(values: Values): Present<Values>;
function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
