import { entries, isObject, isText, listOf, propertiesOf, typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

const conditions = ['if', 'not', 'dependentRequired'];
/** Keywords allowed in a condition. Generated validators cannot express others and would drop them. */
const allowed = ['type', 'required', 'properties', 'description'];

/**
 * Validators are generated from the shape of a schema, and a condition becomes a refinement of a component. Elsewhere, or in
 * another form, the generators would silently drop it.
 *
 * @param {unknown} document
 */
export default function conditionForm(document) {
  return shapesOf(document).flatMap((entry) => {
    const closed = entries(entry.node.properties).filter(([, property]) => !isObject(property));
    return [
      ...closed.map(([name]) => ({
        message: `the schema of \`${name}\` is not an object: forbid a field by \`not\` and \`required\``,
        path: [...entry.path, 'properties', name],
      })),
      ...faultsOf(document, entry).map((message) => ({ message, path: entry.path })),
    ];
  });
}

/**
 * @param {unknown} document
 * @param {Entry} entry
 * @returns {string[]}
 */
function faultsOf(document, { node, path }) {
  const used = conditions.filter((keyword) => node[keyword] !== undefined);
  const faults = [];
  if (node.if !== undefined && node.then === undefined) faults.push('`if` needs a `then`');
  if (used.length > 1) faults.push(`a schema has one condition, not ${used.join(' and ')}`);
  if (used.length === 0) return faults;
  if (path.length !== 3 || path[1] !== 'schemas')
    faults.push(`\`${used[0]}\` belongs to a schema of components: give this one a name there, and refer to it`);
  if (!typesOf(node).includes('object')) faults.push(`\`${used[0]}\` needs an object with \`type: object\``);
  for (const keyword of ['if', 'then', 'else', 'not']) faults.push(...partFaults(keyword, node[keyword]));
  const known = Object.keys(propertiesOf(document, node));
  const unknown = namesIn(node).find((name) => !known.includes(name));
  if (unknown !== undefined && node.additionalProperties !== true)
    faults.push(`\`${used[0]}\` names \`${unknown}\`, which is no property of the object`);
  return faults;
}

/**
 * The properties that a condition names.
 *
 * @param {Record<string, unknown>} node
 * @returns {string[]}
 */
function namesIn(node) {
  // `not` can forbid a field that the object does not have.
  const parts = [node.if, node.then, node.else].filter(isObject);
  return [
    ...parts.flatMap(({ properties, required }) => [
      ...Object.keys(Object(properties)),
      ...listOf(required).map(String),
    ]),
    ...entries(node.dependentRequired).flatMap(([name, needed]) => [name, ...listOf(needed).map(String)]),
  ];
}

/**
 * @param {string} keyword
 * @param {unknown} part
 * @returns {string[]}
 */
function partFaults(keyword, part) {
  if (part === undefined) return [];
  if (!isObject(part)) return [`\`${keyword}\` must be a schema`];
  const other = Object.keys(part).find((key) => !allowed.includes(key) && !key.startsWith('x-'));
  const names = entries(part.properties).map(([name]) => name);
  const unnamed = listOf(part.required).find((name) => !names.includes(String(name)));
  const closed = entries(part.properties).find(([, property]) => !isObject(property));
  const faults = [];
  if (other) faults.push(`\`${keyword}\` has ${allowed.join(', ')}, not \`${other}\``);
  if (names.length === 0) faults.push(`\`${keyword}\` needs \`properties\``);
  if (unnamed !== undefined) faults.push(`\`${keyword}\` requires \`${unnamed}\`: add it to its \`properties\``);
  if (closed)
    faults.push(
      `in \`${keyword}\`, the schema of \`${closed[0]}\` is not an object: write \`not\` with \`required: [${closed[0]}]\``,
    );
  if (keyword !== 'if' && !isText(part.description))
    faults.push(`\`${keyword}\` needs a \`description\`, which says what is wrong: problems show it`);
  return faults;
}
