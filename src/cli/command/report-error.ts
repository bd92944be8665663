import { type CarillonError, isCarillonError } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { CredentialsError, inTerminal } from '../../shared/credentials.ts';
import { FileError } from '../../shared/rows/file-error.ts';
import { lookWith, mayBeDone } from '../catalogue/look.ts';
import { documentedCode, type Method, methods } from '../catalogue/methods.ts';
import { replaceInvisible } from '../text/invisible.ts';
import {
  ConfigurationError,
  exitCodes,
  IncompleteError,
  NoReplyError,
  StatusError,
  UnconfirmedError,
} from './exit-codes.ts';
import { type Failure, failureText } from './failure.ts';
import type { Io } from './io.ts';
import { commandLine } from './names.ts';

/** Explains a failure and the next step, as text for standard error. */
export function describeFailure(error: unknown, method: Method | undefined, env: Io['env']): string {
  return `${adviceBefore(error, env)}${failureText(explainFailure(error, method))}`;
}

/** A line to show before a failure. The client cannot tell whether the proxy or the service did not answer. */
export function adviceBefore(error: unknown, env: Io['env']): string {
  const proxies = exitCodeOf(error) === exitCodes.connection ? proxiesOf(env) : [];
  return proxies.length > 0 ? `carillon: Check first that the proxy answers: ${proxies.join(', ')}.\n` : '';
}

/** Explains a failure and the next step. The texts contain neither credentials nor content. */
export function explainFailure(error: unknown, method: Method | undefined): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const isConfig = isCarillonError(error, 'ConfigError');
  const failure = {
    exitCode: exitCodeOf(error),
    message: replaceInvisible(isConfig ? inTerminal(text) : text, '\n'),
  };
  if (isConfig) return { ...failure, next: 'Correct the environment, or run carillon login.' };
  if (!isCarillonError(error)) return failure;
  const { status, code } = isCarillonError(error, 'ApiError') ? error : {};
  const next = method && nextStep(error, method);
  return { ...failure, status, code: code && replaceInvisible(code), sent: error.sent, next };
}

/** The proxies of the environment, without passwords. */
function proxiesOf(env: Io['env']): string[] {
  return ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].flatMap((name) => {
    const address = env[name];
    return address && URL.canParse(address) ? `${new URL(address).host} (${name})` : [];
  });
}

function nextStep(error: CarillonError, method: Method): string | undefined {
  const look = lookWith(method);
  const looking = look ? `Look with: ${commandLine(look.words)}` : 'Check at the service.';
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'TokenError')) {
    return 'Check the credentials (carillon login, or the environment).';
  }
  if (isCarillonError(error, 'PermissionDeniedError')) {
    return 'These credentials cannot call it. The environment overrides the file of carillon login. Run carillon whoami to see which are used.';
  }
  if (isCarillonError(error, 'NotFoundError') && list(method))
    return `See what exists with: ${commandLine(list(method) ?? [])}`;
  if (isCarillonError(error, 'ArgumentError')) return `${commandLine(method.words)} --help shows the parameters.`;
  if (isCarillonError(error, 'RateLimitError')) {
    const wait = error.retryAfter;
    return wait === undefined ? 'Wait, then run it again.' : `Wait ${Math.ceil(wait / 1000)} s, then run it again.`;
  }
  const isServiceFailure = isCarillonError(error, 'ServerError') || isCarillonError(error, 'ResponseError');
  if (error.sent === 'no') return 'You can run it again.';
  if (method.effect === 'read')
    return isCarillonError(error, 'ApiError') && !isServiceFailure ? undefined : 'You can run it again.';
  if (mayBeDone(method, error)) return `Look before you repeat it. ${looking}`;
  const advice = isCarillonError(error, 'ApiError') ? documentedCode(method, error)?.advice : undefined;
  return advice ?? `Fix the request. ${commandLine(method.words)} --help shows its rules.`;
}

/** Returns the words of the method that lists the IDs in the path of a method. */
function list({ words, path }: Method): readonly string[] | undefined {
  if (!path.includes('{')) return undefined;
  const group = words.slice(0, -1);
  const found = methods.find(
    (other) => other.words.join(' ') === [...group, 'list'].join(' ') && !other.path.includes('{'),
  );
  return found?.words;
}

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof FileError) return exitCodes.usage;
  if (error instanceof UnconfirmedError) return exitCodes.unconfirmed;
  if (error instanceof IncompleteError) return exitCodes.incomplete;
  if (error instanceof CredentialsError || error instanceof ConfigurationError) return exitCodes.configuration;
  if (error instanceof NoReplyError) return exitCodes.connection;
  if (error instanceof StatusError) return codeOfStatus(error.status);
  if (!isCarillonError(error)) return exitCodes.unexpected;
  if (isCarillonError(error, 'ApiError')) return codeOfStatus(error.status);
  switch (error.name) {
    case 'ArgumentError':
      return exitCodes.usage;
    case 'ConfigError':
      return exitCodes.configuration;
    case 'TokenError':
      return exitCodes.authentication;
    case 'ResponseError':
      return exitCodes.service;
    case 'IncompleteListError':
      return exitCodes.incomplete;
    default:
      return exitCodes.connection;
  }
}

function codeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 404) return exitCodes.notFound;
  if (status === 429) return exitCodes.quota;
  return status >= 500 ? exitCodes.service : exitCodes.refused;
}
