import { isRecord } from '../../shared/is-record.ts';

const secretNames =
  /^(?:access_?token|refresh_?token|id_?token|client_?secret|secret|password|api_?key|authorization)$/i;

/** Replaces a credential. */
export const hidden = '[hidden]';

/** Hides the values of fields that hold credentials, by their names. */
export function hideSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecretFields);
  if (!isRecord(value) || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretNames.test(name) ? hidden : hideSecretFields(inner)]),
  );
}
