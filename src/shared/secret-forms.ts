/** Shorter secrets would match too many strings. */
const minLength = 8;

/** Returns the forms in which a string can contain secrets, longest first, because one can be part of another. */
export function secretForms(secrets: Iterable<string>): string[] {
  const forms = [...secrets].filter(({ length }) => length >= minLength).flatMap(formsOf);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/** The secret as it is, in JSON, percent-encoded and in Base64. */
function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const quoted = JSON.stringify(secret).slice(1, -1);
  // Read the string back from bytes, because half a surrogate pair cannot be encoded.
  const percent = encodeURIComponent(new TextDecoder().decode(bytes));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(/=+$/, '');
  // PHP escapes slashes.
  return [secret, quoted, quoted.replaceAll('/', String.raw`\/`), percent, base64];
}
