import { didYouMean } from '../../shared/did-you-mean.ts';
import { fieldsOf, takesOtherFields } from './fields.ts';
import type { Method } from './methods.ts';

/** Parameters of a method, by name. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * Compares parameter names with the names that a method takes. The service would ignore a misspelt parameter, or reject the
 * request after it was sent.
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
    // Comparing names is slow, so the search for misspelt names ends at the maximum number of explained names.
    if (unknown.length >= maxUnknown) {
      left += takesOthers ? 0 : 1;
      continue;
    }
    const question = name === lostName ? undefined : didYouMean(name, names);
    if (question !== undefined) unknown.push(`${method.name} has no parameter ${name}. ${question}`);
    else if (!takesOthers || name === lostName)
      unknown.push(`${method.name} has no parameter ${name}. ${takenText(names)}`);
  }
  if (left > 0) unknown.push(`Number of further unknown parameters: ${left}.`);
  return [...missing.map(({ name }) => `${method.name} needs ${name}.`), ...unknown];
}

/** JavaScript uses a property of this name as the prototype, so the value would be lost. */
const lostName = '__proto__';

/** Maximum number of unknown parameters that are explained. */
const maxUnknown = 5;

function takenText(names: readonly string[]): string {
  return names.length > 0 ? `Its parameters: ${names.join(', ')}.` : 'The method takes no parameters.';
}
