import { retriedStatuses } from './retry.ts';

/** Why there was no response, derived from the error with which `fetch` rejected. */
export interface ConnectionFailure {
  /** Error code of the platform, such as `ECONNREFUSED`, if there is one. */
  code: string | undefined;
  /** Description of the failure, usually the message of the platform. */
  reason: string;
  /**
   * Whether a retry would fail in the same way: the client rejects the certificate or the TLS version, the server does not use
   * TLS, the platform blocks the port, or a proxy rejects the client.
   */
  isFinal: boolean;
}

/** Codes of Node and Bun for a rejected certificate. */
const certificateCode = /CERT|CRL_|HOSTNAME_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|SIGNATURE|UNABLE_TO_|UNSPECIFIED/;
/** Codes for a server that does not use TLS, or only versions that the client does not accept. */
const protocolCode = /^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST|UNSUPPORTED_PROTOCOL|UNKNOWN_PROTOCOL)/;

/** Messages from undici's proxy agents after a status other than 200. Their errors have no property with the status. */
const proxyRejection = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** Maximum depth of the chain of causes. */
const maxDepth = 6;

/** Reads the innermost code and message of an error and its causes. `fetch` puts them two levels below its own error. */
export function readConnectionFailure(error: unknown): ConnectionFailure {
  const chain = causesOf(error);
  const codes = chain.map((cause) => Reflect.get(cause, 'code'));
  const code = codes.findLast((each): each is string => typeof each === 'string');
  const said = chain.at(-1)?.message ?? '';
  const proxyStatus = proxyRejection.exec(said)?.[1];
  if (proxyStatus !== undefined) {
    const isFinal = !retriedStatuses.has(Number(proxyStatus));
    return { code: undefined, reason: `the proxy rejected the connection with HTTP status ${proxyStatus}`, isFinal };
  }
  const isFinal = said === 'bad port' || certificateCode.test(code ?? '') || protocolCode.test(code ?? '');
  return { code, reason: said || 'there was no response', isFinal };
}

/**
 * Returns a note for a message if the environment specifies a proxy for an address but the platform's `fetch` does not use the
 * proxy.
 */
export function unusedProxy(url: string): string {
  try {
    const { HTTPS_PROXY, https_proxy = HTTPS_PROXY } = Reflect.get(globalThis, 'process').env;
    // Another dispatcher may use the proxy, such as the dispatcher that Node creates with `NODE_USE_ENV_PROXY`.
    const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
    const isUnused = url.startsWith('https:') && https_proxy && dispatcher?.constructor.name === 'Agent';
    return isUnused ? '; HTTPS_PROXY is set, but fetch does not use it' : '';
  } catch {
    // There is no environment, or no permission to read the environment, as in Deno.
    return '';
  }
}

/**
 * The error and its causes, outermost first. An `AggregateError` (one error for each address of a host) contributes only its
 * first error. The list ends at an error with a property that throws.
 */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  let current = error;
  try {
    while (current instanceof Error && chain.length < maxDepth) {
      chain.push(current);
      current = current.cause ?? (current instanceof AggregateError ? current.errors[0] : undefined);
    }
  } catch {
    // The error from a user's `fetch` can be a proxy or have getters.
  }
  return chain;
}

/** Codes of Node's resolver, undici and Bun for failures before a request can be sent. */
const connectCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/**
 * Whether an error occurred while connecting. This proves that the request was not sent only if `fetch` makes a single
 * connection per request (see `trustConnectErrors`). Returns `false` for an error with a property that throws.
 */
export function failedToConnect(error: unknown): boolean {
  try {
    return isConnectError(error, 0);
  } catch {
    return false;
  }
}

function isConnectError(error: unknown, level: number): boolean {
  let current = error;
  // Causes and the errors of an `AggregateError` can be circular.
  for (let depth = level; depth < maxDepth && current instanceof Error; depth += 1) {
    // Node tries each address of a host and sets the code of the first failure.
    if (current instanceof AggregateError) {
      const { errors } = current;
      return errors.length > 0 && errors.every((each) => isConnectError(each, depth + 1));
    }
    // An unreachable host has the same error code during and after connecting. Only the system call differs.
    if (Reflect.get(current, 'syscall') === 'connect' || connectCodes.has(Reflect.get(current, 'code'))) return true;
    current = current.cause;
  }
  return false;
}
