import { retriedStatuses } from './retry.ts';

/** Why there was no response, from the rejection of `fetch`. */
export interface ConnectionFailure {
  /** Error code of the platform, such as `ECONNREFUSED`, if there is one. */
  code: string | undefined;
  /** The reason in words. */
  reason: string;
  /**
   * Whether a retry would fail in the same way: the client rejects the certificate or a protocol other than TLS, the platform
   * blocks the port, or a proxy refuses the client.
   */
  isFinal: boolean;
}

/** Descriptions of the error codes of Node, undici and Bun. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ConnectionRefused: 'the connection was refused',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the name server did not answer',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the host did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
  UND_ERR_HEADERS_TIMEOUT: 'the reply did not begin in time',
  UND_ERR_BODY_TIMEOUT: 'the reply stopped',
  UND_ERR_SOCKET: 'the connection was closed',
};

const certificate = 'the certificate of the server';

/** Descriptions of the most frequent codes for rejected certificates. */
const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: `${certificate} has expired`,
  CERT_NOT_YET_VALID: `${certificate} is not valid yet`,
  DEPTH_ZERO_SELF_SIGNED_CERT: `${certificate} is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: `the authority of ${certificate} is not trusted`,
  UNABLE_TO_GET_ISSUER_CERT: `the authority of ${certificate} is unknown`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the authority of ${certificate} is unknown`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the authority of ${certificate} is unknown`,
  HOSTNAME_MISMATCH: `${certificate} is for another host`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${certificate} is for another host`,
};

/** Other OpenSSL certificate verification codes, as Node and Bun report them. */
const certificateCodes: ReadonlySet<string> = new Set([
  ...['CERT_CHAIN_TOO_LONG', 'CERT_REJECTED', 'CERT_REVOKED', 'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED'],
  ...['CRL_HAS_EXPIRED', 'CRL_NOT_YET_VALID', 'CRL_SIGNATURE_FAILURE', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
  ...['ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CRL_LAST_UPDATE_FIELD', 'ERROR_IN_CRL_NEXT_UPDATE_FIELD'],
  ...['INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY'],
  ...['UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'UNABLE_TO_GET_CRL', 'UNSPECIFIED'],
]);

/** Codes for a server that does not use TLS, or only versions that the client does not accept. */
const protocolReasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
  ERR_SSL_HTTP_REQUEST: 'the server does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks no version of TLS that is accepted',
  ERR_SSL_UNKNOWN_PROTOCOL: 'the server speaks no version of TLS that is accepted',
};

/** Maximum depth of the chain of causes. */
const maxDepth = 6;

/** Reads the reason from the chain of causes. `fetch` puts it two levels below its own error. */
export function readConnectionFailure(error: unknown): ConnectionFailure {
  const chain = causesOf(error);
  const codes = chain.map((cause) => Reflect.get(cause, 'code')).filter((code) => typeof code === 'string');
  const code: string | undefined = codes.find((each) => wordsFor(each) !== undefined) ?? codes[0];
  const words = code === undefined ? undefined : wordsFor(code);
  const said = chain.at(-1)?.message;
  if (said === 'bad port') return { code, reason: 'the platform blocks this port', isFinal: true };
  const proxyStatus = proxyRefusal.exec(said ?? '')?.[1];
  if (proxyStatus !== undefined) {
    const isFinal = !retriedStatuses.has(Number(proxyStatus));
    return { code: undefined, reason: `the proxy refused the connection with HTTP status ${proxyStatus}`, isFinal };
  }
  const isCertificate = code !== undefined && certificateCodes.has(code);
  return {
    code,
    reason: isCertificate ? `${certificate} is not accepted: ${said}` : (words ?? said ?? 'no reply came'),
    isFinal: isCertificate || Object.hasOwn({ ...certificateReasons, ...protocolReasons }, code ?? ''),
  };
}

/** Messages of undici's proxy agents after a status other than 200. They have no property with the status. */
const proxyRefusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

function wordsFor(code: string): string | undefined {
  if (certificateCodes.has(code)) return `${certificate} is not accepted`;
  if (code.includes('_ALERT_')) return 'the server refused the TLS connection';
  const words = { ...reasons, ...certificateReasons, ...protocolReasons };
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

/**
 * The error and its causes, outermost first. Of the errors of an `AggregateError` (one per address of a host), only the first is
 * included. Ends at an error whose properties throw.
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
    // The error of a user's `fetch` can be a proxy or have getters.
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
 * Whether an error occurred while connecting. This proves that the request was not sent only if `fetch` makes a single hop (see
 * `trustConnectErrors`). An error whose properties throw proves nothing.
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
    // An unreachable host has the same code while connecting as later. Only the system call differs.
    if (Reflect.get(current, 'syscall') === 'connect' || connectCodes.has(Reflect.get(current, 'code'))) return true;
    current = current.cause;
  }
  return false;
}
