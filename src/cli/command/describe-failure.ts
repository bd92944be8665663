import { isCarillonError } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { CredentialsError, inTerminal } from '../../shared/credentials.ts';
import { messageOf } from '../../shared/message-of.ts';
import { FileError } from '../../shared/rows/file-error.ts';
import { lookFirst, nextStep, type Wording } from '../catalogue/explain-failure.ts';
import type { Method } from '../catalogue/methods.ts';
import { RehearsalRejectedError } from '../catalogue/question.ts';
import { replaceInvisible } from '../text/invisible.ts';
import { CommandError, codeOfStatus, exitCodes } from './exit-codes.ts';
import { type CommandFailure, failureText } from './failure-text.ts';
import type { Io } from './io.ts';
import { commandLine } from './names.ts';

/** Explains a failure and the next step, as text for standard error. */
export function describeFailure(error: unknown, method: Method | undefined, env: Io['env']): string {
  return `${adviceBefore(error, env)}${failureText(explainFailure(error, method))}`;
}

/**
 * Returns advice to show before a failure that a proxy may have caused. The client cannot tell whether the proxy or the
 * service did not respond.
 */
export function adviceBefore(error: unknown, env: Io['env']): string {
  const proxies = exitCodeOf(error) === exitCodes.connection ? proxiesOf(env) : [];
  return proxies.length > 0 ? `carillon: First check that the proxy responds: ${proxies.join(', ')}.\n` : '';
}

/** Explains a failure and the next step. The strings contain neither credentials nor content. */
export function explainFailure(error: unknown, method: Method | undefined): CommandFailure {
  const text = messageOf(error);
  const isConfig = isCarillonError(error, 'ConfigError');
  const failure = {
    exitCode: exitCodeOf(error),
    message: replaceInvisible(isConfig ? inTerminal(text) : text, '\n'),
  };
  if (isConfig) return { ...failure, next: 'Correct the environment, or run carillon login.' };
  if (error instanceof RehearsalRejectedError && method) {
    const { exitCode, message, next } = explainFailure(error.rejection, method);
    return { exitCode, message: `${text}\n${message}`, sent: 'no', next };
  }
  if (!isCarillonError(error)) return failure;
  const { status, code } = isCarillonError(error, 'ApiError') ? error : {};
  const next = method && nextStep(method, error, wording);
  return { ...failure, status, code: code && replaceInvisible(code), sent: error.sent, next };
}

/** Explains an interruption with Ctrl+C. After a call that changes data, also says how to check whether it was processed. */
export function explainInterruption(method: Method | undefined): CommandFailure {
  const failure = { exitCode: exitCodes.interrupted, message: 'Interrupted.' };
  if (!method || method.effect === 'read') return failure;
  return { ...failure, sent: 'maybe', next: lookFirst(method, wording) };
}

/** The proxies that the environment defines, without passwords. */
function proxiesOf(env: Io['env']): string[] {
  return ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].flatMap((name) => {
    const address = env[name];
    return address && URL.canParse(address) ? `${new URL(address).host} (${name})` : [];
  });
}

/** Phrases that the command uses to describe calls and credentials. */
const wording: Wording = {
  call: ({ words }) => commandLine(words),
  help: ({ words }) => `For parameters and rules, run ${commandLine(words)} --help.`,
  credentials: 'Check the credentials in the environment, or run carillon login.',
  denied:
    'The credentials do not permit this call. The environment overrides the file that carillon login writes. Run carillon whoami to see which credentials are used.',
};

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof FileError) return exitCodes.usage;
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof CredentialsError) return exitCodes.configuration;
  // Identified by name instead of class, because jobs are loaded on demand.
  if (error instanceof Error && error.name === 'JobsError') return exitCodes.configuration;
  if (!isCarillonError(error)) return exitCodes.unexpected;
  if (isCarillonError(error, 'ApiError')) return codeOfStatus(error.status);
  return codesByName[error.name] ?? exitCodes.connection;
}

const codesByName: Readonly<Record<string, number>> = {
  ArgumentError: exitCodes.usage,
  ConfigError: exitCodes.configuration,
  TokenError: exitCodes.authentication,
  ResponseError: exitCodes.service,
  IncompleteListError: exitCodes.incomplete,
};
