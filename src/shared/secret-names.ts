/** Parts of names that say that a value is secret, such as in `clientSecret`. */
export const secretParts = ['secret', 'token', 'passw', 'pwd', 'cookie', 'credential', 'authoriz'] as const;

/** Words that say so, as a whole name or as one of its words: `x-api-key` and `userPin`, but not `keyword` and `spin`. */
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

/** Whether the value of a header or a query parameter is secret by its name. Hides too much rather than too little. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return parts.test(words) || words.split(/[^a-z]+/).some((word) => wholeWords.has(word));
}

const parts = new RegExp(secretParts.join('|'));
const wholeWords: ReadonlySet<string> = new Set(secretWords);

/** Whether a field of the API holds a credential. Only whole names count, because accounts name fields of their own. */
export function isCredentialField(name: string): boolean {
  return credentialFields.test(name);
}

const credentialFields =
  /^(?:access_?token|refresh_?token|id_?token|client_?secret|secret|password|api_?key|authorization)$/i;
