import { isMap, isScalar, isSeq, Scalar, type YAMLMap } from 'yaml';
import { walk } from '../spec/rule-walk.ts';
import { displayPath, type Finding } from './finding.ts';
import { parseSource, position, type Source } from './source.ts';

const marks = ['x-open', 'x-inferred', 'x-conflict', 'x-observed'];

/**
 * The order of keys in each kind of object: identity first, then short facts, texts, and the long parts. Other keys follow in their own
 * order. Names of others, such as properties, paths and statuses, have the order of the document.
 */
export const keyOrder: Readonly<Record<string, readonly string[]>> = {
  root: ['openapi', 'info', 'servers', 'security', 'tags', 'x-tagGroups', 'paths', 'components'],
  info: ['title', 'version', 'license', 'contact', 'x-document', 'summary', 'description', ...marks, 'x-rules'],
  contact: ['name', 'url', 'email'],
  license: ['name', 'identifier', 'url'],
  server: ['url', 'description', 'variables'],
  serverVariable: ['default', 'description'],
  tag: ['name', 'description', ...marks],
  tagGroup: ['name', 'tags'],
  components: ['securitySchemes', 'parameters', 'requestBodies', 'responses', 'schemas'],
  securityScheme: ['type', 'scheme', 'bearerFormat', 'description', ...marks],
  pathItem: ['parameters'],
  operation: [
    'operationId',
    'tags',
    'summary',
    'description',
    'deprecated',
    'x-source',
    'x-sdk',
    'x-effect',
    'x-undo',
    'x-shown-by',
    'x-people',
    'x-opt-outs',
    'x-sends-if',
    'x-test-mode',
    'x-pagination',
    'x-rate-limit',
    ...marks,
    'x-rules',
    'x-errors',
    'security',
    'servers',
    'parameters',
    'requestBody',
    'responses',
  ],
  parameter: [
    '$ref',
    'name',
    'in',
    'required',
    'deprecated',
    'style',
    'explode',
    'description',
    ...marks,
    'schema',
    'example',
  ],
  requestBody: ['$ref', 'required', 'description', ...marks, 'content'],
  response: ['$ref', 'description', ...marks, 'x-envelope', 'content'],
  mediaType: ['schema', 'examples', ...marks],
  example: ['summary', 'description', 'value'],
  schema: [
    '$ref',
    'type',
    'format',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
    'pattern',
    'const',
    'default',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'x-inferred-limits',
    'description',
    'deprecated',
    'x-decoded',
    'x-own-names',
    'x-source',
    'x-record',
    'x-title',
    'x-columns',
    'x-at-least-one',
    ...marks,
    'enum',
    'x-enum-varnames',
    'x-enumDescriptions',
    'x-final',
    'examples',
    'required',
    'additionalProperties',
    'items',
    'properties',
    'allOf',
    'anyOf',
    'if',
    'then',
    'else',
    'not',
    'dependentRequired',
    'x-variants',
  ],
  pagination: ['in', 'limit', 'offset', 'maximum', ...marks],
  rateLimit: ['requests', 'seconds', 'per'],
  rule: ['id', 'source', 'text', 'values'],
  errorCode: ['meaning', 'rule', 'concernsAll', 'advice'],
};

/** A place that has another style, and the text that replaces it. */
interface Deviation {
  rule: 'key-order' | 'ref-style';
  /** Offset of the finding. */
  at: number;
  message: string;
  start: number;
  end: number;
  text: string;
}

const command = '`npm run lint:spec -- --fix` writes it';

/** Checks that the keys of each object have one order, and that references have one style. */
export function checkStyle({ file, text, tree, lines }: Source): Finding[] {
  return deviations(text, tree).map(({ at, rule, message }) => ({
    file: displayPath(file),
    ...position(lines, at),
    rule,
    message,
  }));
}

/** The text of a spec with its keys in order, and its references in one style. Data and comments stay the same. */
export function fixStyle(text: string): string {
  let fixed = text;
  // A change inside another one needs a further round.
  for (let round = 0; round < 50; round += 1) {
    const found = deviations(fixed, parseSource('', fixed).tree);
    if (found.length === 0) return fixed;
    const outer = found.filter(
      (one) => !found.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
    );
    for (const { start, end, text: written } of (outer.length > 0 ? outer : found.slice(0, 1)).sort(
      (a, b) => b.start - a.start,
    ))
      fixed = fixed.slice(0, start) + written + fixed.slice(end);
  }
  throw new Error('The order of keys does not settle');
}

function deviations(text: string, tree: Source['tree']): Deviation[] {
  return [...orders(text, tree), ...references(text, tree)];
}

function orders(text: string, tree: Source['tree']): Deviation[] {
  return walk(tree.toJS()).flatMap(({ kind, path }) => {
    const order = keyOrder[kind];
    const map = path.length === 0 ? tree.contents : tree.getIn(path, true);
    if (!order || !isMap(map)) return [];
    const keys = map.items.map(({ key }) => String(isScalar(key) ? key.value : key));
    const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
    const late = keys.findIndex((key, index) => keys.slice(0, index).some((before) => rank(before) > rank(key)));
    if (late === -1) return [];
    const key = keys[late] ?? '';
    const next = keys.find((before) => rank(before) > rank(key));
    const sorted = keys.map((_, index) => index).sort((a, b) => rank(keys[a] ?? '') - rank(keys[b] ?? '') || a - b);
    const { at, ...change } = reorder(text, map, sorted, late);
    return [{ rule: 'key-order' as const, at, message: `\`${key}\` comes before \`${next}\`: ${command}`, ...change }];
  });
}

/** The text of a map with its pairs in another order. */
function reorder(
  text: string,
  map: YAMLMap,
  sorted: readonly number[],
  late: number,
): Pick<Deviation, 'at' | 'start' | 'end' | 'text'> {
  const starts = map.items.map(({ key }) => startOf(key));
  const ends = map.items.map(({ key, value }) => endOf(value ?? key));
  const start = starts[0] ?? 0;
  const at = starts[late] ?? start;
  const last = ends.at(-1) ?? start;
  if (map.flow) {
    const written = sorted.map((from, index) => {
      const between = index === 0 ? '' : text.slice(ends[index - 1], starts[index]);
      return between + text.slice(starts[from], ends[from]);
    });
    return { at, start, end: last, text: written.join('') };
  }
  const lineEnd = text[last - 1] === '\n' ? last : text.indexOf('\n', last) + 1 || text.length;
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  // A comment above a key belongs to it.
  const bodies = starts.map((from, index) => text.slice(from, starts[index + 1] ?? lineEnd).replace(/[ ]+$/, ''));
  const comments = bodies.map((body) => /(?:^[ ]*#.*\n)+$/m.exec(body.replace(/^.*\n/, ''))?.[0] ?? '');
  const written = sorted.map((from, index) => {
    const body = bodies[from] ?? '';
    const own = from === starts.length - 1 ? body : body.slice(0, body.length - (comments[from]?.length ?? 0));
    const above = from === 0 ? '' : (comments[from - 1] ?? '');
    const line = own.endsWith('\n') ? own : `${own}\n`;
    const indent = ' '.repeat(column);
    // The first line is already indented.
    if (index === 0) return above === '' ? line : above.trimStart() + indent + line;
    return above + indent + line;
  });
  const whole = written.join('');
  return { at, start, end: lineEnd, text: text[lineEnd - 1] === '\n' ? whole : whole.replace(/\n$/, '') };
}

/** A reference is written as `{$ref: '…'}`, and as `- $ref: '…'` in a list. */
function references(text: string, tree: Source['tree']): Deviation[] {
  return walk(tree.toJS()).flatMap(({ path }): Deviation[] => {
    const map = tree.getIn(path, true);
    if (!isMap(map)) return [];
    const target = map.items.find(({ key }) => isScalar(key) && key.value === '$ref')?.value;
    if (!isScalar(target) || typeof target.value !== 'string') return [];
    const deviation = (from: number, end: number, written: string, shown = written): Deviation[] => [
      { rule: 'ref-style', at: startOf(map), message: `write ${shown}: ${command}`, start: from, end, text: written },
    ];
    const quoted = `'${target.value}'`;
    if (map.items.length > 1)
      return target.type === Scalar.QUOTE_SINGLE ? [] : deviation(startOf(target), endOf(target), quoted);
    // The range of a block ends in the next line.
    const [start, end] = [startOf(map), endOf(map.flow ? map : target)];
    const parent = tree.getIn(path.slice(0, -1), true);
    const isItem = isSeq(parent) && !parent.flow;
    const wanted = isItem ? `$ref: ${quoted}` : `{$ref: ${quoted}}`;
    if (text.slice(start, end) === wanted) return [];
    if (isItem || map.flow || !isMap(parent)) return deviation(start, end, wanted, isItem ? `- ${wanted}` : wanted);
    const key = parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)))?.key;
    return deviation(endOf(key), end, `: ${wanted}`, wanted);
  });
}

function startOf(node: unknown): number {
  return rangeOf(node)[0];
}

function endOf(node: unknown): number {
  return rangeOf(node)[1];
}

function rangeOf(node: unknown): [number, number] {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  if (!Array.isArray(range)) throw new Error('A node of the spec has no position');
  return [Number(range[0]), Number(range[1])];
}
