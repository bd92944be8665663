import { closest } from '../../shared/closest.ts';
import { fieldsOf, takesOtherFields } from './fields.ts';
import type { Method } from './methods.ts';

/** Parameters of a method, by name. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * Compares the names of parameters with those of a method. The service would ignore a misspelt one, or refuse the request
 * after it was sent.
 *
 * @returns one sentence for each missing or unknown parameter
 */
export function checkParams(method: Method, params: Params): string[] {
  const fields = fieldsOf(method);
  const names = fields.map(({ name }) => name);
  const missing = fields.filter(({ name, required }) => required && params[name] === undefined);
  const others = takesOtherFields(method);
  const unknown = Object.keys(params).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = closest(name, names);
    if (meant !== undefined) return `${method.name} has no parameter ${name}. Did you mean ${meant}?`;
    if (others !== undefined) return [];
    const known = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.';
    return `${method.name} has no parameter ${name}. ${known}`;
  });
  return [...missing.map(({ name }) => `${method.name} needs ${name}.`), ...unknown];
}
