import Ajv from 'ajv/dist/2020.js';
import { listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** The vocabularies whose keywords contain no schemas. Our walk visits the others' schemas one by one. */
const vocabularies = ['validation', 'meta-data', 'content', 'format-annotation'];

/** Keywords that contain schemas. `additionalProperties` can be `true`; other rules report items and properties. */
const inner = ['contentSchema', 'allOf', 'anyOf', 'if', 'then', 'else', 'not'];

const ajv = new Ajv.default({ strict: false });

/**
 * Each schema must fit the meta-schema of JSON Schema 2020-12, and an enum has a value. `true` and `false` are no schemas here: generators
 * read only objects.
 *
 * @param {unknown} document
 */
export default function schemaForm(document) {
  return entriesOf(document, 'schema').flatMap(({ node, path }) => {
    const faults = vocabularies.flatMap((name) => {
      const validate = ajv.getSchema(`https://json-schema.org/draft/2020-12/meta/${name}`);
      const fits = validate?.({ ...node, contentSchema: undefined });
      return fits === false ? (validate?.errors ?? []) : [];
    });
    // The first fault of a keyword: others are its consequences.
    const first = new Map(faults.toReversed().map((fault) => [fault.instancePath.split('/')[1] ?? '', fault.message]));
    if (Array.isArray(node.enum) && node.enum.length === 0) first.set('enum', 'must have a value');
    if (node.additionalProperties === false && node.properties !== undefined)
      first.set('additionalProperties', 'is checked by no validator: remove it');
    const types = listOf(node.type);
    if (types.includes('object') && types.some((type) => type !== 'object' && type !== 'null'))
      first.set('type', 'has an object and other values: write `anyOf` with a branch for each');
    for (const keyword of inner) {
      if (listOf(node[keyword]).some((part) => typeof part === 'boolean'))
        first.set(keyword, 'must be a schema, which is an object');
    }
    return [...first].map(([keyword, message]) => ({
      message: `\`${keyword}: ${JSON.stringify(node[keyword])}\` ${message}`,
      path: [...path, keyword],
    }));
  });
}
