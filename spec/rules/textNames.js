import { walk } from './shared/walk.js';

/**
 * Names that a text may refer to. A path has its method in front (`POST /tags`), `values` are those of enums, constants, rules and examples,
 * and `credentials` are the header of a credential and its parts.
 *
 * @typedef {{ names: Set<string>, values: Set<string>, paths: string[], credentials: Set<string> }} Known
 */

const jsonWords = ['true', 'false', 'null', 'string', 'number', 'integer', 'boolean', 'object', 'array'];

/**
 * The kinds of code in backticks. Each says what the code is, so that a name needs no exception.
 *
 * @type {Record<string, (code: string, known: Known) => boolean>}
 */
const kinds = {
  name: (code, { names }) => names.has(code),
  value: (code, { values }) => values.has(code) || jsonWords.includes(code),
  dateFormat: (code) => /^(?:YYYY-MM-DD|HH:MM(?::SS)?|YYYY-MM-DD HH:MM(?::SS)?)$/.test(code),
  specFile: (code) => /^\w+\.yaml$/.test(code),
  credential: (code, { credentials }) => credentials.has(code.replace(/ <.*>$/, '')),
  /** A field in a record, such as `template.id`. */
  fieldPath: (code, { names }) => code.includes('.') && code.split('.').every((part) => names.has(part)),
  /** A name with its value, such as `country=off` or `full: true`. */
  assignment(code, { names, values }) {
    const [, name = '', value = ''] = /^([\w-]+)(?:=|: )(.+)$/.exec(code) ?? [];
    return names.has(name) && (values.has(value) || jsonWords.includes(value));
  },
  /** A path with its method, or consecutive segments of one, such as `/v2/`. */
  path(code, { paths }) {
    if (/^[A-Z]+ /.test(code)) return paths.includes(code);
    const segments = `/${code.replace(/^\/|\/$/g, '')}/`;
    return paths.some((path) => `${path.replace(/^\w+ /, '/')}/`.includes(segments));
  },
};

/**
 * Code in backticks must be something that the spec has: a renamed field would live on in the descriptions. One that names the file of another
 * spec may have its paths.
 *
 * @param {unknown} spec
 */
export default function textNames(spec) {
  const known = knownOf(spec);
  const examples = new Set(walk(spec).flatMap(({ kind, node }) => (kind === 'example' ? [node] : [])));
  return textsOf(spec, [], examples).flatMap(({ text, path }) => {
    const isElsewhere = /`\w+\.yaml`/.test(text);
    const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    return codes
      .filter(
        (code) => !Object.values(kinds).some((isKind) => isKind(code, known)) && !(isElsewhere && code.includes('/')),
      )
      .map((code) => ({
        message: `\`${code}\` is not a field, parameter, value, path or operation of this spec: correct the name, or write a word of another system in quotes`,
        path,
      }));
  });
}

/**
 * @param {unknown} node
 * @param {(string | number)[]} path
 * @param {Set<unknown>} examples
 * @returns {{ text: string, path: (string | number)[] }[]}
 */
function textsOf(node, path, examples) {
  if (typeof node === 'string') return node.includes('`') ? [{ text: node, path }] : [];
  if (typeof node !== 'object' || node === null || examples.has(node)) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    textsOf(value, [...path, Array.isArray(node) ? Number(key) : key], examples),
  );
}

/**
 * @param {unknown} spec
 * @returns {Known}
 */
function knownOf(spec) {
  /** @type {Known} */
  const known = { names: new Set(['default']), values: new Set(), paths: [], credentials: new Set() };
  for (const { kind, role, node, path } of walk(spec)) {
    const key = String(path.at(-1));
    const isComponent = path.length === 3 && path[0] === 'components';
    if (role === 'properties' || isComponent) known.names.add(key);
    if (kind === 'parameter') known.names.add(String(node.name));
    if (kind === 'rule') known.names.add(String(node.id));
    if (kind === 'operation') {
      known.names.add(String(node.operationId));
      known.paths.push(`${key.toUpperCase()} ${path[1]}`);
    }
    if (kind === 'server') known.paths.push(`URL ${node.url}`);
    if (kind === 'securityScheme')
      for (const part of ['Authorization', 'Bearer', 'Authorization: Bearer']) known.credentials.add(part);
    for (const value of [node.enum, node.const, node.examples, node.example, node.value, node.values])
      for (const text of leavesOf(value)) known.values.add(text);
  }
  return known;
}

/**
 * The strings and numbers in a value.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function leavesOf(value) {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];
}
