import { listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * The first word of an operationId must fit the HTTP method. A POST that only reads has a verb for reading.
 *
 * @param {unknown} document
 * @param {Record<string, string[]>} verbs the verbs of each method
 */
export default function operationVerb(document, verbs) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const { operationId } = node;
    if (typeof operationId !== 'string') return [];
    const verb = /^[a-z]*/.exec(operationId)?.[0] ?? '';
    const method = String(path.at(-1));
    const fitting = listOf(method === 'post' && node['x-effect'] === 'read' ? verbs.get : verbs[method]);
    if (fitting.includes(verb)) return [];
    const message = `${verb} does not fit ${method.toUpperCase()}: begin with ${fitting.join(', ')}${hint(method, verb, verbs)}`;
    return [{ message, path: [...path, 'operationId'] }];
  });
}

/**
 * @param {string} method
 * @param {string} verb
 * @param {Record<string, string[]>} verbs
 */
function hint(method, verb, verbs) {
  return method === 'post' && listOf(verbs.get).includes(verb) ? ', or write `x-effect: read` if it only reads' : '';
}
