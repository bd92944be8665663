/** A value of the wrong kind. The message continues a sentence that names the field. */
export class NotEncodable extends TypeError {}

/**
 * Writes JSON.
 *
 * @throws `TypeError` for what JSON cannot hold; also for `NaN` and `Infinity`, which it would turn into `null`
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  // A second pass is slow, and few bodies contain null.
  if (text?.includes('null')) JSON.stringify(value, refuseNotFinite);
  return text;
}

function refuseNotFinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotEncodable(`cannot contain ${value}`);
  return value;
}
