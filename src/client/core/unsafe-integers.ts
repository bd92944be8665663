import { inside } from './bad-value.ts';
import type { Answer } from './exchange.ts';
import type { Settings } from './settings.ts';

/** Number of digits of the smallest unsafe integer, 2^53. */
const minDigits = 16;

/** Warns once for each operation if a reply has an integer that `JSON.parse` may have rounded, such as a 64-bit ID. */
export function warnIfRounded(
  label: string,
  operationId: string,
  { text, body, redactor }: Pick<Answer, 'text' | 'body' | 'redactor'>,
  { warned, logger }: Pick<Settings, 'warned' | 'logger'>,
): void {
  const warning = `${operationId}: rounded integer`;
  // Most replies are finished with here: walking the body takes half as long as parsing it, and this a tenth.
  if (!hasLongNumber(text) || warned.has(warning)) return;
  const place = findUnsafeInteger(body);
  if (place === undefined) return;
  warned.add(warning);
  const found = redactor.redact(place) || 'its top';
  logger.warn(
    `carillon: the reply to ${label} has an integer beyond 2^53 at ${found}. JavaScript rounds it: do not use it as an ID`,
    { operationId },
  );
}

/** What can precede an integer in JSON. A quotation mark before digits is that of a string, as many services send long IDs. */
const beforeInteger = ':[,- \t\r\n';

/** Whether JSON has a run of digits that can be an unsafe integer. Looks at each sixteenth character, which such a run contains. */
export function hasLongNumber(text: string): boolean {
  for (let at = minDigits - 1; at < text.length; at += minDigits) {
    if (!isDigit(text, at)) continue;
    let start = at;
    while (isDigit(text, start - 1)) start -= 1;
    let end = at + 1;
    while (isDigit(text, end)) end += 1;
    if (end - start >= minDigits && (start === 0 || beforeInteger.includes(text.charAt(start - 1)))) return true;
    // Read each run once: a string can be a million digits.
    at = end;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Path of an unsafe integer in a value of any depth, such as `data.list[3].id`. */
export function findUnsafeInteger(value: unknown): string | undefined {
  const open: [value: unknown, place: string][] = [[value, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, place] = next;
    if (typeof current === 'number' && Number.isInteger(current) && !Number.isSafeInteger(current)) return place;
    if (typeof current !== 'object' || current === null) continue;
    const isList = Array.isArray(current);
    for (const [name, member] of Object.entries(current)) {
      open.push([member, isList ? `${place}[${name}]` : inside(place, name)]);
    }
  }
  return undefined;
}
