/** Why no reply came, from the error that `fetch` rejected with. */
export interface ConnectionFailure {
  /** The platform's code, such as `ECONNREFUSED`, if it has one. */
  code: string | undefined;
  /** The reason in words. */
  reason: string;
  /** The client refused the server: its certificate, or a protocol that is not TLS. Another try would not change that. */
  isRefusedByClient: boolean;
  /** The server refused the client by an alert of TLS. In TLS 1.3, it can come after the request. */
  isAlert: boolean;
}

/** Words for the codes of Node, undici and Bun. */
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

/** Codes of OpenSSL, as Node and Bun report them, for a certificate that the client does not accept. */
const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  CERT_REVOKED: 'the certificate of the server was revoked',
  CERT_REJECTED: 'the certificate of the server is not accepted',
  CERT_UNTRUSTED: 'the certificate of the server is not trusted',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate of the server is wrong',
  CERT_CHAIN_TOO_LONG: 'the chain of certificates of the server is too long',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority of the server is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate authority of the server is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate authority of the server is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server cannot be verified',
  INVALID_CA: 'the certificate authority of the server is not valid',
  INVALID_PURPOSE: 'the certificate of the server is for another purpose',
  HOSTNAME_MISMATCH: 'the certificate of the server is for another host',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
};

/** Codes for a server that does not speak TLS, or no version of it that the client accepts. */
const protocolReasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
  ERR_SSL_HTTP_REQUEST: 'the server does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks no version of TLS that is accepted',
  ERR_SSL_UNKNOWN_PROTOCOL: 'the server speaks no version of TLS that is accepted',
};

/** Causes of causes that are read. */
const deepest = 6;

/** Reads the reason from the chain of causes: `fetch` puts it two levels below its own error. */
export function readConnectionFailure(error: unknown): ConnectionFailure {
  const chain = causesOf(error);
  const coded = chain.map((cause) => Reflect.get(cause, 'code')).filter((code) => typeof code === 'string');
  const code: string | undefined = coded.find((each) => reasonFor(each) !== undefined) ?? coded[0];
  const reason = code === undefined ? undefined : reasonFor(code);
  return {
    code,
    reason: reason ?? chain.at(-1)?.message ?? 'no reply came',
    isRefusedByClient:
      code !== undefined && (Object.hasOwn(certificateReasons, code) || Object.hasOwn(protocolReasons, code)),
    isAlert: code?.includes('_ALERT_') === true,
  };
}

function reasonFor(code: string): string | undefined {
  const all = { ...reasons, ...certificateReasons, ...protocolReasons };
  return Object.hasOwn(all, code) ? all[code] : undefined;
}

/** The error and its causes, outermost first. Node tries each address of a host: only the first of those failures is read. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  let current = error;
  while (current instanceof Error && chain.length < deepest) {
    chain.push(current);
    current = current.cause ?? (current instanceof AggregateError ? current.errors[0] : undefined);
  }
  return chain;
}

/** Codes of Node's resolver, undici and Bun for failures that come before a request can leave. */
const connectCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Whether an error is one of connecting. It proves something only for a `fetch` of a single hop, as `trustConnectErrors` says. */
export function failedToConnect(error: unknown, level = 0): boolean {
  let current = error;
  // Causes and the errors of an `AggregateError` can form a circle.
  for (let depth = level; depth < deepest && current instanceof Error; depth += 1) {
    // Node tries each address of a host, and gives the failure the code of the first.
    if (current instanceof AggregateError) {
      const { errors } = current;
      return errors.length > 0 && errors.every((each) => failedToConnect(each, depth + 1));
    }
    // A host that cannot be reached has the same code while connecting as later; the system call tells.
    if (Reflect.get(current, 'syscall') === 'connect' || connectCodes.has(Reflect.get(current, 'code'))) return true;
    current = current.cause;
  }
  return false;
}
