/** A value of the wrong kind. The message continues a sentence that names the field. */
export class NotEncodable extends TypeError {}

/**
 * Writes JSON.
 *
 * @throws `TypeError` for what JSON cannot hold; also for `NaN`, `Infinity` and, in a list, `undefined`, which it would turn
 * into `null`, and for bytes, a `Blob`, a promise or a `Map`, of which it would write `{}` or numbered fields
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  // A second pass is slow, and few bodies contain these.
  if (/null|\{\}|\{"0"|"Buffer"/.test(text)) JSON.stringify(value, refuseLost);
  return text;
}

/** Refuses what becomes `null`, and an object of a built-in type that becomes a plain one. */
function refuseLost(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const kind = typeof value === 'number' ? value : kindOf(this[name]);
  // What JSON leaves out of a record becomes `null` in a list.
  const left = Array.isArray(this) ? 'null' : '';
  if (value !== null && kind !== 'Object' && /^(null|\{)/.test(JSON.stringify(value) ?? left))
    throw new NotEncodable(`cannot contain ${kind}`);
  return value;
}

/** The name of a built-in type, also of another realm, such as a frame or a Jest sandbox, of which `instanceof` says no. */
export function kindOf(value: unknown): string {
  return {}.toString.call(value).slice(8, -1);
}

/** Why a value cannot be written. */
export function problemOf(cause: unknown): string {
  return cause instanceof NotEncodable ? cause.message : 'cannot be written as JSON';
}
