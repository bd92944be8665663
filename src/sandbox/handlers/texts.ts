import { violationRefusal } from '../check.ts';

/**
 * The entries of a map of texts. The validators pass over a key that is called `__proto__`, so its value is looked at here.
 *
 * @param location - where the map stands, such as `['body', 'variables']`
 */
export function textEntries(texts: Readonly<Record<string, string>> = {}, location: string[]): [string, string][] {
  const entries = Object.entries(texts);
  const other = entries.find(([, text]) => typeof text !== 'string');
  if (other) throw violationRefusal([{ location: [...location, other[0]], message: 'Invalid input: expected string' }]);
  return entries;
}
