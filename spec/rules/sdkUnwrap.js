import { bodySchemas, isObject, listOf, propertiesOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * `unwrapBody` must be the key that wraps the body on the wire: the only property, and required.
 *
 * @param {unknown} document
 */
export default function sdkUnwrap(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const sdk = node['x-sdk'];
    if (!isObject(sdk) || typeof sdk.unwrapBody !== 'string') return [];
    const [schema] = bodySchemas(document, node);
    const names = Object.keys(propertiesOf(document, schema));
    const required = listOf(resolve(document, schema).required);
    if (names.length === 1 && names[0] === sdk.unwrapBody && required.includes(sdk.unwrapBody)) return [];
    return [{ message: `${sdk.unwrapBody} is not the only, required key of the body`, path: [...path, 'x-sdk'] }];
  });
}
