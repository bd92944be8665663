import Ajv from 'ajv/dist/2020.js';
import { entriesOf } from './shared/walk.js';

/** The vocabularies whose keywords contain no schemas. Our walk visits the others' schemas one by one. */
const vocabularies = ['validation', 'meta-data', 'content', 'format-annotation'];

const ajv = new Ajv.default({ strict: false });

/**
 * Each schema must fit the meta-schema of JSON Schema 2020-12, and an enum has a value.
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
    return [...first].map(([keyword, message]) => ({
      message: `\`${keyword}: ${JSON.stringify(node[keyword])}\` ${message}`,
      path: [...path, keyword],
    }));
  });
}
