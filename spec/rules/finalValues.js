import { entries, isObject } from './shared/nodes.js';

const key = 'x-final';

/**
 * Final values must be some of the values of an enum, and the schema must say why they are taken for final.
 *
 * @param {unknown} document
 */
export default function finalValues(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  return entries(components.schemas).flatMap(([name, schema]) => {
    if (!isObject(schema) || schema[key] === undefined) return [];
    const path = ['components', 'schemas', name, key];
    const [values, known] = [schema[key], schema.enum];
    if (!Array.isArray(values) || values.length === 0 || !Array.isArray(known))
      return [{ message: `${key} is a list of some values of the enum: [3]`, path }];
    if (schema['x-inferred'] === undefined)
      return [{ message: `${key} needs x-inferred, which says why these values are final`, path }];
    return values
      .filter((value) => !known.includes(value))
      .map((value) => ({ message: `${key} names ${value}, which is no value of the enum`, path }));
  });
}
