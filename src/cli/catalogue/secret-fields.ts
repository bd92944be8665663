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

/** A string, a bracket, a separator, or another value of JSON, with its position. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gs;

/** Hides the values of credential fields in JSON. All other characters stay the same. */
export function hideSecretsInJson(text: string): string {
  let shown = '';
  let end = 0;
  let depth = 0;
  let previous = '';
  /** The depth of the value that is being left out. */
  let hiding: number | undefined;
  const found = [...text.matchAll(tokens)];
  for (const [at, { 0: token, index }] of found.entries()) {
    const isName = token === ':' && previous.startsWith('"') && secretNames.test(nameIn(previous));
    if (hiding === undefined && isName) {
      const value = found[at + 1];
      if (!value) break;
      shown += `${text.slice(end, value.index)}${JSON.stringify(hidden)}`;
      hiding = depth;
    } else if (hiding !== undefined) {
      if (/^[[{]$/.test(token)) depth += 1;
      if (/^[\]}]$/.test(token)) depth -= 1;
      if (depth === hiding) {
        hiding = undefined;
        end = index + token.length;
      }
      previous = token;
      continue;
    }
    if (/^[[{]$/.test(token)) depth += 1;
    if (/^[\]}]$/.test(token)) depth -= 1;
    previous = token;
  }
  return hiding === undefined ? shown + text.slice(end) : shown;
}

/** The text of a JSON string, which may have escapes. */
function nameIn(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
