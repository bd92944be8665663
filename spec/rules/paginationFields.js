import { bodySchemas, isObject, parametersOf, propertiesOf, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */
/** @typedef {{ limit: string, offset: string, others: string[] }} Names */

/**
 * A list with a page size or an offset must have `x-pagination`, and the fields that it names must exist. Other ways of paging
 * need an explicit word, because a method would return one page.
 *
 * @param {unknown} document
 * @param {Names} names names of page size and offset on the platform, and names in other ways of paging
 */
export default function paginationFields(document, names) {
  return entriesOf(document, 'operation').flatMap((entry) => {
    const { node, path } = entry;
    const pagination = node['x-pagination'];
    const fields = { query: queryFields(document, entry), body: bodyFields(document, node) };
    if (pagination === 'none') return [];
    if (!isObject(pagination)) {
      const given = Object.values(fields).flatMap((found) => Object.keys(found));
      if (given.some((name) => name === names.limit || name === names.offset))
        return [{ message: 'a paged list needs `x-pagination`: write its fields, or `none` if it has one page', path }];
      const other = given.find((name) => names.others.includes(name));
      return other === undefined
        ? []
        : [
            {
              message: `paging by ${other} would be built in src/client/core/list.ts: write \`x-pagination: none\` if a method returns one page`,
              path,
            },
          ];
    }
    const found = pagination.in === 'body' ? fields.body : fields.query;
    const open = pagination.in === 'body' && pagination['x-inferred'] !== undefined && Object.keys(found).length === 0;
    return faultsOf(document, pagination, found, open).map((message) => ({ message, path: [...path, 'x-pagination'] }));
  });
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} pagination
 * @param {Record<string, unknown>} found
 * @param {boolean} open whether the fields are inferred because the body declares none
 * @returns {string[]}
 */
function faultsOf(document, pagination, found, open) {
  const missing = [pagination.limit, pagination.offset].filter(
    (name) => typeof name === 'string' && !Object.hasOwn(found, name),
  );
  if (missing.length > 0 && !open) return missing.map((name) => `no ${name} in the ${pagination.in} of this operation`);
  if (typeof pagination.offset === 'string' && pagination.offset !== 'offset')
    return [
      `queries page by 'offset', not '${pagination.offset}': other names would be built in src/client/query/create-query.ts`,
    ];
  for (const name of [pagination.limit, pagination.offset].map(String)) {
    const types = typesOf(resolve(document, found[name]));
    if (types.length > 0 && !types.includes('integer'))
      return [`${name} counts items, and its type is ${types.join(' or ')}: write \`type: integer\``];
  }
  const { maximum } = resolve(document, found[String(pagination.limit)]);
  return maximum === undefined || maximum === pagination.maximum
    ? []
    : [`the schema of ${pagination.limit} has \`maximum: ${maximum}\`, so write it here as well`];
}

/**
 * @param {unknown} document
 * @param {Entry} operation
 * @returns {Record<string, unknown>}
 */
function queryFields(document, operation) {
  const parameters = parametersOf(document, operation);
  return Object.fromEntries(parameters.filter((item) => item.in === 'query').map((item) => [item.name, item.schema]));
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} operation
 * @returns {Record<string, unknown>}
 */
function bodyFields(document, operation) {
  return Object.assign({}, ...bodySchemas(document, operation).map((schema) => propertiesOf(document, schema)));
}
