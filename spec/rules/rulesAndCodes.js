import { entries, isObject, listOf, resolve } from './shared/nodes.js';
import { entriesOf, walk } from './shared/walk.js';

/** @typedef {import('./shared/nodes.js').Problem} Problem */

/**
 * Rules, error codes and quotas must agree with each other, with the descriptions that name them, and with the examples of failures.
 *
 * @param {unknown} spec
 */
export default function rulesAndCodes(spec) {
  const info = isObject(spec) && isObject(spec.info) ? spec.info : {};
  const operations = entriesOf(spec, 'operation');
  const all = operations.flatMap(({ node }) => entries(node['x-errors']));
  return [
    ...operations.flatMap(({ node, path }) =>
      [...codeFaults(spec, node, ruleIds(info)), ...quotaFaults(node)].map((fault) => ({
        ...fault,
        path: [...path, ...fault.path],
      })),
    ),
    ...walk(spec).flatMap(({ kind, node, path }) =>
      [...toldFaults(kind, node, all), ...(kind === 'rule' ? valueFaults(node) : [])].map((fault) => ({
        ...fault,
        path: [...path, ...fault.path],
      })),
    ),
  ];
}

/**
 * @param {Record<string, unknown>} node
 * @returns {string[]}
 */
function ruleIds(node) {
  return listOf(node['x-rules']).map((rule) => String(Object(rule).id));
}

/**
 * A code reports a rule, has a named example in a failed response, and is an example of `message`.
 *
 * @param {unknown} spec
 * @param {Record<string, unknown>} operation
 * @param {string[]} common
 * @returns {Problem[]}
 */
function codeFaults(spec, operation, common) {
  const errors = entries(operation['x-errors']);
  if (errors.length === 0) return [];
  const codes = errors.map(([code]) => code);
  const rules = [...common, ...ruleIds(operation)];
  const failed = entries(operation.responses).filter(([status]) => !status.startsWith('2'));
  const media = failed.flatMap(([, response]) => Object.values(Object(resolve(spec, response).content)));
  const examples = media.flatMap((one) => Object.values(Object(one.examples)));
  const shown = examples.flatMap(({ value }) => listOf(Object(value).message)).map(String);
  const listed = media.flatMap((one) => listedCodes(spec, one.schema));
  /** @type {(words: string[], found: string[], message: (code: string) => string) => Problem[]} */
  const lacking = (words, found, message) =>
    words
      .filter((code) => !found.includes(code))
      .map((code) => ({ message: message(code), path: codes.includes(code) ? ['x-errors', code] : ['x-errors'] }));
  return [
    ...errors.flatMap(([code, error]) =>
      rules.includes(String(Object(error).rule))
        ? []
        : [
            {
              message: `code ${code} names the rule ${Object(error).rule}, which is not in x-rules of this operation or of info`,
              path: ['x-errors', code, 'rule'],
            },
          ],
    ),
    ...lacking(codes, shown, (code) => `code ${code} has no named example in a failed response`),
    ...lacking(codes, listed, (code) => `code ${code} is not in the examples of \`message\``),
    ...lacking([...shown, ...listed], codes, (code) => `an example has the code ${code}, which is not in x-errors`),
  ];
}

/**
 * @param {unknown} spec
 * @param {unknown} node
 * @returns {string[]}
 */
function listedCodes(spec, node) {
  const { properties, anyOf } = resolve(spec, node);
  const { examples } = resolve(spec, Object(properties).message);
  return [...listOf(examples).map(String), ...listOf(anyOf).flatMap((branch) => listedCodes(spec, branch))];
}

/**
 * A code in a text is in `x-errors`, and the text of a rule has the codes that report it.
 *
 * @param {string} kind
 * @param {Record<string, unknown>} node
 * @param {[string, unknown][]} errors
 * @returns {Problem[]}
 */
function toldFaults(kind, node, errors) {
  const own = errors.filter(([, error]) => kind !== 'rule' || Object(error).rule === node.id).map(([code]) => code);
  const told = ['summary', 'description', 'text', 'advice'].flatMap((key) =>
    typeof node[key] === 'string'
      ? Array.from(node[key].matchAll(/\bcode (\w*\d)\b/g), ([, code = '']) => ({ code, path: [key] }))
      : [],
  );
  return [
    ...told
      .filter(({ code }) => !own.includes(code))
      .map(({ code, path }) => ({
        message: `x-errors has no code ${code}${kind === 'rule' ? ' that names this rule' : ''}`,
        path,
      })),
    ...(kind === 'rule' ? own : [])
      .filter((code) => !told.some((one) => one.code === code))
      .map((code) => ({ message: `the text does not contain code ${code}, which reports this rule`, path: ['text'] })),
  ];
}

/**
 * Programs and readers see the same values.
 *
 * @param {Record<string, unknown>} rule
 * @returns {Problem[]}
 */
function valueFaults({ text, values }) {
  const words = String(text).split(/[^\w-]+/);
  return entries(values)
    .filter(([, value]) => !words.includes(String(value)))
    .map(([name, value]) => ({ message: `the text does not contain the value ${value}`, path: ['values', name] }));
}

/**
 * The sandbox enforces the quota of `x-rate-limit`, and the docs show its rule.
 *
 * @param {Record<string, unknown>} operation
 * @returns {Problem[]}
 */
function quotaFaults(operation) {
  const isTold = ruleIds(operation).some((id) => id.endsWith('-quota'));
  if ((operation['x-rate-limit'] !== undefined) === isTold) return [];
  return isTold
    ? [{ message: 'a rule whose id ends with -quota needs x-rate-limit', path: ['x-rules'] }]
    : [{ message: 'a quota needs a rule that states it, with an id that ends with -quota', path: ['x-rate-limit'] }];
}
