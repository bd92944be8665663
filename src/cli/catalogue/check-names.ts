import { didYouMean } from '../../shared/did-you-mean.ts';
import { fieldsOf, takesOtherFields } from './fields.ts';
import type { Method } from './methods.ts';

/** Parameters of a method, by name. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * Compares parameter names with a method's. The service would ignore a misspelt one, or reject the request
 * after it was sent.
 *
 * @returns one sentence for each missing or unknown parameter
 */
export function checkParams(method: Method, params: Params): string[] {
  const fields = fieldsOf(method);
  const names = fields.map(({ name }) => name);
  const known = new Set(names);
  const missing = fields.filter(({ name, required }) => required && params[name] === undefined);
  const others = Object.keys(params).filter((name) => !known.has(name));
  const takesOthers = takesOtherFields(method) !== undefined;
  const unknown: string[] = [];
  let left = 0;
  for (const name of others) {
    // Comparing names is slow, so a misspelt name is only looked for until there are enough of them.
    if (unknown.length >= maxUnknown) {
      left += takesOthers ? 0 : 1;
      continue;
    }
    const question = name === lostName ? undefined : didYouMean(name, names);
    if (question !== undefined) unknown.push(`${method.name} has no parameter ${name}. ${question}`);
    else if (!takesOthers || name === lostName)
      unknown.push(`${method.name} has no parameter ${name}. ${takenText(names)}`);
  }
  if (left > 0) unknown.push(`${method.name} has no parameters with the ${left} other names, either.`);
  return [...missing.map(({ name }) => `${method.name} needs ${name}.`), ...unknown];
}

/** JavaScript takes a value of this name for something else, so it would be lost on the way. */
const lostName = '__proto__';

/** Maximum number of unknown parameters that are explained. */
const maxUnknown = 5;

function takenText(names: readonly string[]): string {
  return names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.';
}
