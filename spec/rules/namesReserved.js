import { isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/** What every object has, and what makes an object awaitable. */
const ofObjects = [...Object.getOwnPropertyNames(Object.prototype), 'then'];

/**
 * Methods, groups, fields and parameters must not have the name of what every object has, or `then`. A component must not have
 * the name of a type that generated files use.
 *
 * @param {unknown} document
 * @param {{ types: string[], exports: string[] }} options `exports`: the exports of every entry of the client
 */
export default function namesReserved(document, { types, exports: common }) {
  return walk(document).flatMap(({ kind, node, path }) => {
    const sdk = isObject(node['x-sdk']) ? node['x-sdk'].method : node['x-sdk'];
    const names = [
      ...(kind === 'operation' ? String(sdk).split('.') : []).map((name) => ({ name, at: ['x-sdk'] })),
      ...(kind === 'parameter' ? [{ name: node.name, at: ['name'] }] : []),
      ...(kind === 'schema' ? Object.keys(Object(node.properties)) : []).map((name) => ({
        name,
        at: ['properties', name],
      })),
    ];
    const found = names
      .filter(({ name }) => ofObjects.includes(String(name)))
      .map(({ name, at }) => ({
        message: `${name} is reserved in JavaScript: choose another name`,
        path: [...path, ...at],
      }));
    if (kind === 'components')
      for (const name of Object.keys(Object(node.schemas)).filter((each) => types.includes(each)))
        found.push({
          message: `generated files use TypeScript's own ${name}: choose another name`,
          path: [...path, 'schemas', name],
        });
    if (kind === 'components')
      for (const name of Object.keys(Object(node.schemas)).filter((each) => common.includes(each)))
        found.push({
          message: `each entry of the client exports its own ${name}: choose another name`,
          path: [...path, 'schemas', name],
        });
    return found;
  });
}
