import Ajv from 'ajv/dist/2020.js';
import { isObject } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

const ajv = new Ajv.default({ strict: false, validateFormats: false, logger: false });

/**
 * A default, a constant and the values of an enum must fit the rest of their schema.
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
    return given.flatMap(({ value, at, schema }) => {
      // References lead to the components.
      if (ajv.validate({ ...schema, components }, value)) return [];
      const [cause] = ajv.errors ?? [];
      return [
        { message: `${JSON.stringify(value)} does not fit its schema: it ${cause?.message}`, path: [...path, ...at] },
      ];
    });
  });
}
