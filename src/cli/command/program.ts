import { Command, Option } from 'commander';
import { repeated, UsageError } from '../../shared/command-line.ts';
import type { Field } from '../catalogue/fields.ts';
import { contentsOf, type Method, methods, type Product, products } from '../catalogue/methods.ts';
import type { ApiFlags } from './api.ts';
import { type CallFlags, callOptions, commonOptions, profileOption } from './call-options.ts';
import { exitCodes, exitTexts } from './exit-codes.ts';
import { argumentFields, fieldText, flagFields, placeholder } from './flags.ts';
import type { Io } from './io.ts';
import type { LoginOptions } from './login.ts';
import { helpAfter, helpBefore, rulesText } from './method-help.ts';
import { commandLine, kebab, methodOf } from './names.ts';
import type { GivenParams } from './params.ts';

/** Options of commands that take a profile. */
interface ProfileOptions {
  profile?: string;
}

/** The actions that the commands perform. */
export interface Actions {
  method(method: Method, given: GivenParams, flags: CallFlags): Promise<void>;
  api(verb: string, path: string, flags: ApiFlags): Promise<void>;
  search(words: string): Promise<void>;
  login(options: LoginOptions): Promise<void>;
  logout(options: { all?: boolean } & ProfileOptions): Promise<void>;
  whoAmI(options: ProfileOptions): Promise<void>;
  profiles(): Promise<void>;
  completion(shell: string): Promise<void>;
}

/**
 * Creates the command tree. To make help fast, methods are added only to the called product, and options only to the called
 * method.
 *
 * @param words - the words of the command line that are not options
 * @param flags - names of the given options, which decide what arguments are required: with `--each`, columns can replace
 * arguments, and a flag can replace an argument
 */
export function createProgram(io: Io, actions: Actions, words: readonly string[], flags: ReadonlySet<string>): Command {
  const program = new Command('carillon')
    .description("Calls every method of the platform's CRM, messaging and email APIs from a terminal.")
    // `runCli` handles this option before the program is built.
    .option('--version', 'show the version')
    .addHelpText('after', rootHelp);
  for (const option of commonOptions()) program.addOption(option);
  prepare(program, io);
  const called = methodOf(words);
  // A call needs no other commands, and starts faster without them.
  for (const name of called ? [called.product] : products) {
    const command = program.command(name).description(contentsOf(name)).helpCommand(false);
    if (name === words[0]) addMethods(command, name, called, actions, flags);
    command.addHelpText('after', () => `\n${rulesText(name)}`);
  }
  if (!called) addOthers(program, actions);
  return program;
}

/** Adds the commands that call no method. */
function addOthers(program: Command, actions: Actions): void {
  program
    .command('search')
    .argument('<words...>', 'words, such as: note deal')
    .description('Find a method by words')
    .action((words: string[]) => actions.search(words.join(' ')));
  addApi(program, actions);
  program
    .command('login')
    .description('Ask for the address and credentials, and store them in a file that only you can read')
    .option('--base-url <url>', 'address of the service')
    .option(
      '--client-id <id>',
      'use client credentials with this ID, and ask for the secret (default: ask for an API key)',
    )
    .option(
      '--changes-need-terminal',
      'even with --yes, do not make calls that change data unless a person can confirm them',
    )
    .option(
      '--profile <name>',
      'store the credentials under this profile, in addition to the profiles of other accounts',
    )
    .action((_, command: Command) => actions.login(command.optsWithGlobals<LoginOptions>()));
  program
    .command('logout')
    .description('Remove the stored credentials of a profile')
    .option('--all', 'remove the credentials of all profiles')
    .option('--profile <name>', 'the profile (default: default)')
    .action((_, command: Command) => actions.logout(command.optsWithGlobals()));
  program
    .command('whoami')
    .description('Show the address that calls go to, the kind of credential, and where both come from')
    .addOption(profileOption())
    .action((_, command: Command) => actions.whoAmI(command.optsWithGlobals()));
  program
    .command('profiles')
    .description('Show the profiles, and mark the profile that calls use')
    .action(() => actions.profiles());
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('Print a completion script for a shell')
    .action((shell: string) => actions.completion(shell));
  for (const [name, text] of [
    ['sandbox', 'Serve the sandbox (the command carillon-sandbox)'],
    ['jobs', 'Run jobs (the command carillon-jobs)'],
    ['mcp', 'Serve agents (the command carillon-mcp)'],
  ] as const) {
    // These commands start before the program is built, because they have their own options.
    program.command(name).description(text);
  }
}

function addApi(program: Command, actions: Actions): void {
  const command = program
    .command('api')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'path with the base path, such as /crm/v1/users')
    .description('Send one request to a path, and print the response body as the service returned it')
    .option('--set <name=value>', 'a field in the body, or in the query of a GET request; can be repeated', repeated)
    .option('--input <file>', 'file with the body as JSON, or - for standard input')
    .option('--yes', 'send the request without asking for confirmation')
    .option('--timeout <seconds>', 'maximum time for the request and its retries (default: 60)');
  for (const option of commonOptions()) command.addOption(option);
  command
    .addHelpText('after', apiHelp)
    .action((verb: string, path: string) => actions.api(verb, path, command.optsWithGlobals<ApiFlags>()));
}

const apiHelp = `
A request to a documented path is checked and retried like a call to its method, and needs the same confirmation.
A request to any other path is sent once, after confirmation unless it is a GET request.

Example:
  carillon api GET /crm/v1/users`;

/** Sends output through `io`, and throws instead of exiting. Commands that are added later inherit these settings. */
function prepare(program: Command, io: Io): void {
  program
    .exitOverride()
    // A closed output is ignored.
    .configureOutput({
      writeOut: (text) => void Promise.resolve(io.write(text)).catch(() => undefined),
      // Errors are written where they are caught.
      outputError: () => undefined,
      writeErr: (text) => io.note(text),
    })
    .configureHelp({ helpWidth: 100, showGlobalOptions: false })
    .helpCommand(false);
}

function addMethods(
  parent: Command,
  product: Product,
  called: Method | undefined,
  actions: Actions,
  given: ReadonlySet<string>,
): void {
  const groups = new Map([['', parent]]);
  const groupOf = (words: readonly string[]): Command => {
    const key = words.join(' ');
    const known = groups.get(key);
    if (known) return known;
    const created = groupOf(words.slice(0, -1))
      .command(kebab(words.at(-1) ?? ''))
      .helpCommand(false);
    if (!called) created.description(groupText(product, words));
    groups.set(key, created);
    return created;
  };
  // Only the help of a group shows its description and the other methods.
  for (const method of called ? [called] : methods.filter((method) => method.product === product)) {
    const command = addMethod(groupOf(method.words.slice(1, -1)), method);
    if (method === called) addOptions(command, method, actions, given);
  }
}

/** Returns the names in a group, such as `list, create, get, comments`. */
function groupText(product: Product, words: readonly string[]): string {
  const place = [product, ...words];
  const inside = methods.filter((method) => place.every((word, at) => method.words[at] === word));
  return [...new Set(inside.map((method) => kebab(method.words[place.length] ?? '')))].join(', ');
}

function addMethod(parent: Command, method: Method): Command {
  const command = parent.command(kebab(method.words.at(-1) ?? ''));
  command.summary(`${method.summary}${method.effect === 'read' ? '' : ` (${method.effect})`}`);
  const args = argumentFields(method).map(({ name }) => `<${kebab(name)}>`);
  return command.usage(['[options]', ...args].join(' '));
}

function addOptions(command: Command, method: Method, actions: Actions, given: ReadonlySet<string>): void {
  command.description(helpBefore(method));
  const hasRows = given.has('each') || given.has('each-template');
  const fields = argumentFields(method);
  const positional = fields.filter(({ name }) => !given.has(kebab(name)));
  for (const field of positional) {
    const name = kebab(field.name);
    const text = fieldText(method, { ...field, required: false });
    command.argument(hasRows ? `[${name}]` : `<${name}>`, `${text} Can also be passed as --${name}.`);
  }
  const names = new Map<string, string>();
  const addFlag = (field: Field, isHidden: boolean): void => {
    const option = new Option(`--${kebab(field.name)} ${placeholder(method, field.schema)}`, fieldText(method, field));
    option.argParser(repeated);
    names.set(option.attributeName(), field.name);
    command.addOption(isHidden ? option.hideHelp() : option);
  };
  // Help shows these fields as arguments.
  for (const field of fields) addFlag(field, true);
  for (const field of flagFields(method)) addFlag(field, false);
  for (const option of callOptions(method)) command.addOption(option);
  command.addHelpText('after', () => `\n${helpAfter(method)}`);
  // `checkExcess` explains a value without its flag better than commander.
  command.allowExcessArguments(true);
  command.action((...received: unknown[]) => {
    checkExcess(command, method, names, positional);
    const used = command.optsWithGlobals<CallFlags & Record<string, string[] | true>>();
    const flags: Record<string, string[]> = {};
    for (const [attribute, name] of names) {
      const strings = used[attribute];
      // A flag for a boolean needs no value.
      if (strings !== undefined) flags[name] = strings === true ? ['true'] : strings;
    }
    const args = fields.map((field) => {
      const text = received[positional.indexOf(field)];
      return typeof text === 'string' ? text : undefined;
    });
    return actions.method(method, { args, flags, input: used.input, set: used.set }, used);
  });
}

/** @param names - field names of the flags, by their attributes in commander */
function checkExcess(
  command: Command,
  method: Method,
  names: ReadonlyMap<string, string>,
  positional: readonly Field[],
): void {
  const taken = positional.map(({ name }) => `<${kebab(name)}>`);
  const excess = command.args[taken.length];
  if (excess === undefined) return;
  const used = command.opts<Record<string, unknown>>();
  const given = new Set([...names].flatMap(([attribute, name]) => (used[attribute] === undefined ? [] : name)));
  const open = flagFields(method).filter(({ name }) => !given.has(name));
  const missing = open.filter(({ required }) => required);
  const strings = open.filter(({ schema }) => placeholder(method, schema) === '<string>');
  const flags = missing.length > 0 ? missing : strings;
  const [first] = flags;
  const named = flags.map(({ name, schema }) => `--${kebab(name)} ${placeholder(method, schema)}`).join(' ');
  let hint = flags.length > 1 ? ` Pass values as flags: ${named}.` : '';
  if (first && flags.length === 1) hint = ` Did you mean --${kebab(first.name)} ${excess}?`;
  const takes = taken.length === 0 ? `no argument '${excess}'` : `only ${taken.join(' ')}, not '${excess}'`;
  throw new UsageError(`${method.name} takes ${takes}.${hint} ${commandLine(method.words)} --help shows the usage.`);
}

function rootHelp(): string {
  const codes = Object.entries(exitCodes).map(
    ([kind, code]) => `  ${String(code).padEnd(4)}${Reflect.get(exitTexts, kind)}`,
  );
  return `
Examples:
  ${commandLine(['crm', 'contacts', 'list'])} --last-name Kowal --all --output csv
  ${commandLine(['crm', 'contacts', 'create'])} --each contacts.csv --responsible-id 77
  carillon --sandbox crm deals get 501
  carillon search note deal

Credentials come from CARILLON_BASE_URL and CARILLON_API_KEY (or CARILLON_CLIENT_ID and CARILLON_CLIENT_SECRET), or from
the file that carillon login writes; carillon whoami shows which credentials are used. No flag accepts an API key. For
several accounts, use carillon login --profile <name>, then --profile <name> or CARILLON_PROFILE. Requests go through
the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY define.

The value @<path> stands for the content of that file: --text @mail.txt, --attachments notes.txt=@notes.txt.
A value that begins with @= is the literal string after @=. Use this form in scripts: --first-name "@=$NAME".

Exit codes:
${codes.join('\n')}`;
}
