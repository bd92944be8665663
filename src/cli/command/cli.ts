import { CommanderError } from 'commander';
import { explainUsage } from '../../shared/command-line.ts';
import { profileVariable } from '../../shared/credentials.ts';
import { failureLines } from '../catalogue/failure-lines.ts';
import { type Method, methods } from '../catalogue/methods.ts';
import { CommandError, exitCodes, exitTexts } from './exit-codes.ts';
import { asksForJson, type CommandFailure, failureLine, failureText } from './failure-text.ts';
import { type Io, outputClosed } from './io.ts';
import { commandLine, kebab, methodOf } from './names.ts';
import { createProgram } from './program.ts';

/**
 * Runs the command `carillon`. Modules are loaded on demand: help needs neither the client nor the code that asks questions.
 *
 * @param words - the words after `carillon`
 * @returns the exit code
 */
export async function runCli(words: readonly string[], surroundings: Io): Promise<number> {
  const { profile, args } = takeProfile(words);
  const io = withProfile(surroundings, profile);
  const [first = '--help', ...rest] = args;
  if (first === 'sandbox' || first === 'jobs' || first === 'mcp') return io.start(first, rest, profile);
  if (first === '--version') {
    await io.write(`${io.version?.() ?? ''}\n`);
    return exitCodes.done;
  }
  if (first === '__complete') {
    const { complete } = await import('./complete.ts');
    await io.write((await complete(rest, io).catch(() => [])).map((word) => `${word}\n`).join(''));
    return exitCodes.done;
  }
  const isJson = asksForJson(args);
  const fail = (failure: CommandFailure, text = failureText(failure)): number => {
    io.note(isJson ? failureLine({ operation: methodOf(named)?.id, ...failure }) : text);
    return failure.exitCode;
  };
  let called: Method | undefined;
  let code: number = exitCodes.done;
  const named = args.filter((word) => !word.startsWith('-'));
  const program = createProgram(
    io,
    {
      method: async (method, given, flags) => {
        called = method;
        const { runMethod } = await import('./run-method.ts');
        code = await runMethod(method, given, flags, withProfile(io, flags.profile));
      },
      api: async (verb, path, flags) =>
        (await import('./api.ts')).callApi(verb, path, flags, withProfile(io, flags.profile)),
      search: async (text) => {
        code = await searchMethods(text, io);
      },
      login: async (options) => (await import('./login.ts')).login(options, withProfile(io, options.profile)),
      logout: async (options) => (await import('./login.ts')).logout(options, withProfile(io, options.profile)),
      whoAmI: async (options) => (await import('./login.ts')).whoAmI(withProfile(io, options.profile)),
      profiles: async () => (await import('./login.ts')).profiles(io),
      completion: async (shell) => io.write((await import('./complete.ts')).completionScript(shell)),
    },
    named,
    new Set(args.flatMap((word) => /^--([\w-]+)(?:=|$)/.exec(word)?.[1] ?? [])),
  );
  try {
    await program.parseAsync(args.length === 0 ? [first] : args, { from: 'user' });
    // The failures of rows were already reported, so this line reports only the exit code.
    if (isJson && code !== exitCodes.done)
      io.note(failureLine({ exitCode: code, message: textOf(code), operation: called?.id }));
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    if (error instanceof CommanderError)
      return fail(wrongUse(error, named), error.code === 'commander.help' ? '' : undefined);
    // After an abort, a write that is waiting for the reader of the output fails with another error.
    if (io.signal.aborted) {
      // The reader of `carillon … | head` closed the pipe, which is not a failure.
      if (io.signal.reason === outputClosed) return exitCodes.done;
      const { explainInterruption } = await import('./describe-failure.ts');
      const isSent = !(error instanceof CommandError && error.exitCode === exitCodes.unconfirmed);
      const failure = explainInterruption(isSent ? called : undefined);
      return fail(failure, `${failureLines(failure.message, failure.sent, failure.next)}\n`);
    }
    const { adviceBefore, explainFailure } = await import('./describe-failure.ts');
    io.note(adviceBefore(error, io.env));
    return fail(explainFailure(error, called));
  }
}

/** Separates a leading `--profile <name>` from the command that follows. */
function takeProfile(words: readonly string[]): { profile?: string; args: readonly string[] } {
  const [first = '', second = ''] = words;
  if (first === '--profile') return { profile: second, args: words.slice(2) };
  const [, name] = /^--profile=(.*)$/s.exec(first) ?? [];
  return name === undefined ? { args: words } : { profile: name, args: words.slice(1) };
}

/** Returns the environment with another profile. */
function withProfile(io: Io, profile: string | undefined): Io {
  return profile === undefined ? io : { ...io, env: { ...io.env, [profileVariable]: profile || '(empty)' } };
}

/** Explains a usage error, and suggests a search for methods. For a group without a method, help has already been shown. */
function wrongUse(error: CommanderError, words: readonly string[]): CommandFailure {
  if (error.code === 'commander.help') return { exitCode: exitCodes.usage, message: 'No method was named.' };
  const isUnknown = error.code === 'commander.unknownCommand';
  const known = words.findIndex((_, at) => !methods.some((method) => startsWith(method, words.slice(0, at + 1))));
  // Commands other than methods have one word.
  const count = known === -1 ? words.length : known === 0 && !isUnknown ? 1 : known;
  const line = ['carillon', ...words.slice(0, count)].join(' ');
  const unknown = words[known];
  const isWord = isUnknown && unknown !== undefined && /\p{L}/u.test(unknown);
  return {
    exitCode: exitCodes.usage,
    message: explainUsage(error, line),
    ...(isWord && { next: `Find a method with: carillon search ${unknown}` }),
  };
}

function startsWith(method: Method, words: readonly string[]): boolean {
  return words.every((word, at) => kebab(method.words[at] ?? '') === word);
}

/** Returns the meaning of an exit code. */
function textOf(code: number): string {
  const kind = Object.entries(exitCodes).find(([, one]) => one === code)?.[0] ?? '';
  return String(Reflect.get(exitTexts, kind));
}

/** Prints the methods that match the words. Returns the exit code. */
async function searchMethods(words: string, io: Io): Promise<number> {
  const { findUnsupported, search } = await import('../catalogue/search.ts');
  const { findTopics } = await import('./topics.ts');
  const called = search(words).map((method) => ({ line: commandLine(method.words), ...method }));
  // Tasks come first, because their descriptions use everyday words instead of words of the API.
  const found = [...findTopics(words).map((topic) => ({ ...topic, effect: '' })), ...called];
  const missing = findUnsupported(words);
  for (const { title, why, instead } of missing)
    io.note(`Not in the documented API: ${title}. ${why}\nInstead: ${instead}\n`);
  if (found.length === 0) {
    if (missing.length > 0) return exitCodes.notFound;
    io.note(`No method matches '${words}'. carillon --help shows all groups.\n`);
    return exitCodes.notFound;
  }
  const longest = Math.max(...found.map(({ line }) => line.length));
  const rows = found.map(({ line, summary, effect }) => `${line.padEnd(longest)}  ${effect.padEnd(6)}  ${summary}\n`);
  await io.write(rows.join(''));
  return exitCodes.done;
}
