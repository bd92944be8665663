/** Parts of names that mark a value as secret, as in `clientSecret`. */
export const secretParts = ['secret', 'token', 'passw', 'pwd', 'cookie', 'credential', 'authoriz'] as const;

/**
 * Words that mark a value as secret, as a whole name or as one word of a name: `x-api-key` and `userPin`, but not `keyword` and
 * `spin`.
 */
export const secretWords = [
  'key',
  'apikey',
  'accesskey',
  'privatekey',
  'auth',
  'oauth',
  'pass',
  'passphrase',
  'pin',
  'otp',
  'jwt',
  'session',
  'sessionid',
  'sid',
  'signature',
] as const;

/** Whether the name of a header or query parameter marks its value as secret. Marks too many names rather than too few. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return parts.test(words) || words.split(/[^a-z]+/).some((word) => wholeWords.has(word));
}

const parts = new RegExp(secretParts.join('|'));
const wholeWords: ReadonlySet<string> = new Set(secretWords);

/**
 * Whether a field of the API holds a credential. Only whole names count, because accounts choose the names of their own fields.
 */
export function isCredentialField(name: string): boolean {
  return credentialFields.test(name);
}

const credentialFields =
  /^(?:access_?token|refresh_?token|id_?token|client_?secret|secret|password|api_?key|authorization)$/i;
