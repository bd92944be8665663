import Ajv from 'ajv/dist/2020.js';
import { isObject } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

const ajv = new Ajv.default({ strict: false, logger: false });
// `format-known` knows the formats.
ajv.addFormat('date', (text) => {
  const moment = new Date(`${text}T00:00:00Z`);
  // A day beyond the end of its month is another day.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
});
ajv.addFormat('uuid', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i);

/**
 * A default, a constant and the values of an enum must fit the rest of their schema, and are no objects or lists, which types and docs
 * would not compare. A limit is a number that all programs represent alike.
 *
 * @param {unknown} document
 */
export default function valuesFit(document) {
  const components = isObject(document) ? document.components : {};
  return entriesOf(document, 'schema').flatMap(({ node, path }) => {
    const { default: standard, const: only, enum: values, ...limits } = node;
    const given = [
      ...(standard === undefined ? [] : [{ value: standard, at: ['default'], schema: node }]),
      ...(only === undefined ? [] : [{ value: only, at: ['const'], schema: limits }]),
      ...(Array.isArray(values) ? values : []).map((value, index) => ({ value, at: ['enum', index], schema: limits })),
    ];
    const wide = ['minimum', 'maximum'].flatMap((keyword) => {
      const limit = node[keyword];
      const isExact =
        typeof limit !== 'number' || (Number.isFinite(limit) && Math.abs(limit) <= Number.MAX_SAFE_INTEGER);
      return isExact
        ? []
        : [
            {
              message: `programs do not represent ${limit} exactly: write the limit in the description`,
              path: [...path, keyword],
            },
          ];
    });
    const faults = given.flatMap(({ value, at, schema }) => {
      if (typeof value === 'object' && value !== null && at[0] !== 'default')
        return [
          {
            message: 'a constant or a value of an enum is a text, a number, a boolean or null',
            path: [...path, ...at],
          },
        ];
      // References lead to the components.
      if (ajv.validate({ ...schema, components }, value)) return [];
      const [cause] = ajv.errors ?? [];
      return [
        { message: `${JSON.stringify(value)} does not fit its schema: it ${cause?.message}`, path: [...path, ...at] },
      ];
    });
    return [...wide, ...faults];
  });
}
