import { bodySchemas, isObject, parametersOf, propertiesOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** Other ways of paging, by the names that APIs give to their fields. */
const others = /^(?:after|before|continuation|skip|page)$|cursor|page_?(?:number|size|token)|per_?page|next_?page/i;

/**
 * A list that takes a page size, an offset, a page or a cursor must say how its method pages, and by fields that it has.
 *
 * @param {unknown} spec
 */
export default function paging(spec) {
  return entriesOf(spec, 'operation').flatMap((entry) => {
    const given = entry.node['x-pagination'];
    const body = bodySchemas(spec, entry.node).map((schema) => propertiesOf(spec, schema));
    const query = parametersOf(spec, entry).filter((item) => item.in === 'query');
    /** @type {Record<string, Record<string, unknown>>} */
    const fields = {
      body: Object.assign({}, ...body),
      query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    };
    const message = isObject(given)
      ? faultOf(spec, given, fields[String(given.in)] ?? {})
      : given === undefined
        ? missing(Object.values(fields).flatMap((each) => Object.keys(each)))
        : undefined;
    return message === undefined
      ? []
      : [{ message, path: given === undefined ? entry.path : [...entry.path, 'x-pagination'] }];
  });
}

/** @param {string[]} names */
function missing(names) {
  const name = names.find((each) => each === 'limit' || each === 'offset' || others.test(each));
  return (
    name &&
    `${name} pages: write \`x-pagination\` with the fields limit and offset, or \`none\` if a method returns one page`
  );
}

/**
 * @param {unknown} spec
 * @param {Record<string, unknown>} pagination
 * @param {Record<string, unknown>} fields
 */
function faultOf(spec, { in: place, limit, offset, maximum, 'x-inferred': inferred }, fields) {
  // A body without known fields, whose paging is assumed.
  if (place === 'body' && inferred !== undefined && Object.keys(fields).length === 0) return undefined;
  const lost = [limit, offset].find((name) => !Object.hasOwn(fields, String(name)));
  if (lost !== undefined) return `no ${lost} in the ${place} of this operation`;
  if (offset !== 'offset') return `queries page by 'offset', not '${offset}'`;
  const stated = resolve(spec, fields[String(limit)]).maximum;
  return stated === undefined || stated === maximum
    ? undefined
    : `the schema of ${limit} has \`maximum: ${stated}\`, so write it here as well`;
}
