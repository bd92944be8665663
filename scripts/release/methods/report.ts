import { reportedKeywords } from '../../generate/spec-report.ts';

export type Keyword = (typeof reportedKeywords)[number];

/** A schema of a report: the facts on its own line, and its children. */
export interface Node {
  /** Types such as `string` and `null`, or `any`. Empty for a reference. */
  types: string[];
  /** Name of the referenced component. */
  reference?: string;
  required: boolean;
  open: boolean;
  deprecated: boolean;
  /** Limits and other keywords, as JSON. */
  keywords: Map<Keyword, string>;
  /** Values as JSON. */
  values: Set<string>;
  /** `.name`, `[]`, `{}` and `<content>`. */
  children: Map<string, Node>;
  /** Keyword → branches, in the order of the spec. */
  branches: Map<string, Node[]>;
  /** Value of an enum as JSON, or `limits` → its meaning as JSON. */
  meanings: Map<string, string>;
  /** `if`, `then`, `else`, `not`, or `variant` with a name → JSON, without descriptions. */
  conditions: Map<string, string>;
}

/** A schema or a content type below an operation or a component: `body`, `query.limit`, `reply 200 application/json`. */
type Places = Map<string, Node>;

/** A fact of an operation that is not a schema. Several of one kind have different subjects. */
export interface Fact {
  kind: string;
  /** The rule, error code or status. Empty if an operation has only one fact of this kind. */
  subject: string;
  value: string;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  deprecated: boolean;
  /** Path of its method in the client: `deals.update`. */
  place: string;
  /** Facts by kind and subject. */
  facts: Map<string, Fact>;
  places: Places;
}

/** The lines of a `report.txt`, grouped by subject. */
export interface Report {
  /** Rules of the whole spec. */
  rules: Map<string, Fact>;
  operations: Map<string, Operation>;
  schemas: Map<string, Node>;
  /** Name → content type → schema. */
  responses: Map<string, Places>;
}

const place = /^((?:path|query|header|cookie)\.[^\s.[\]{}<>():]+|body|reply \S+ [^\s.[\]{}<>():]+)(.*)$/;
const step = /^(?:\.[^\s.[\]{}<>():]+|\[\]|\{\}|<content>|\((?:allOf|anyOf|oneOf) \d+\))/;

/** The facts of an operation, by their first words. The first group is the subject, the second is the value. */
const facts: [kind: string, form: RegExp][] = [
  ['method', /^method()(.*)$/],
  ['payload', /^payload()(.*)$/],
  ['effect', /^effect()(.*)$/],
  ['undo', /^undo()(.*)$/],
  ['shown by', /^shown by()(.*)$/],
  ['people', /^people()(.*)$/],
  ['opt-outs', /^opt-outs()(.*)$/],
  ['sends if', /^sends if()(.*)$/],
  ['test mode', /^test mode()(.*)$/],
  ['source', /^source()(.*)$/],
  ['security', /^security()(.*)$/],
  ['pages', /^pages()(.*)$/],
  ['rate limit', /^rate limit()(.*)$/],
  ['rule', /^rule (\S+)(.*)$/],
  ['error', /^error (\S+)(.*)$/],
  ['meaning of', /^meaning of ((?:rule|error) \S+): (.*)$/],
  ['status', /^status (\S+)(.*)$/],
  ['style', /^style (\S+)(.*)$/],
];

/**
 * Reads a `report.txt`.
 *
 * @param file - for messages
 * @throws `Error` with the line if its kind is unknown, because an unknown change must not pass as no change
 */
export function readReport(text: string, file: string): Report {
  const report: Report = { rules: new Map(), operations: new Map(), schemas: new Map(), responses: new Map() };
  for (const line of text.split('\n').filter(Boolean)) {
    if (!readLine(report, line)) {
      throw new Error(`${file} has a line of a kind that the release check does not know: ${line}
Teach scripts/release/methods/report.ts to read it, and scripts/release/methods/ to judge it.`);
    }
  }
  return report;
}

function readLine(report: Report, line: string): boolean {
  if (/^info version /.test(line)) return true;
  const [, subject = '', rest = ''] =
    /^(info|operation [^\s:]+|schema [^\s.[{<(:]+|response [^\s]+?)(?=[\s.[{<(:])(.*)$/.exec(line) ?? [];
  const [kind = '', name = ''] = subject.split(' ');
  if (kind === 'info') return readFact(report.rules, rest.trim(), ['rule', 'meaning of']);
  if (kind === 'operation')
    return readOperation(
      entry(report.operations, name, () => newOperation(name)),
      rest,
    );
  if (kind === 'schema') {
    if (rest.startsWith(' source ')) return true;
    const root = entry(report.schemas, name, newNode);
    return readNode(root, rest);
  }
  if (kind !== 'response') return false;
  const [, type = '', below = ''] = /^ ([^\s.[\]{}<>():]+)(.*)$/.exec(rest) ?? [];
  return (
    type !== '' &&
    readNode(
      entry(
        entry(report.responses, name, () => new Map()),
        type,
        newNode,
      ),
      below,
    )
  );
}

function readOperation(operation: Operation, rest: string): boolean {
  const [, method, path, deprecated] = /^: ([A-Z]+) (\S+)( deprecated)?$/.exec(rest) ?? [];
  if (method && path) {
    Object.assign(operation, { method, path, deprecated: deprecated !== undefined });
    return true;
  }
  const text = rest.trimStart();
  const [, start, below = ''] = place.exec(text) ?? [];
  if (start) return readNode(entry(operation.places, start, newNode), below);
  if (
    !readFact(
      operation.facts,
      text,
      facts.map(([kind]) => kind),
    )
  )
    return false;
  operation.place = operation.facts.get('method ')?.value.split(' ')[0] ?? '';
  return true;
}

function readFact(found: Map<string, Fact>, text: string, kinds: readonly string[]): boolean {
  for (const [kind, form] of facts) {
    const [match, subject = '', value = ''] = form.exec(text) ?? [];
    if (match === undefined || !kinds.includes(kind)) continue;
    found.set(`${kind} ${subject}`, { kind, subject, value: value.trim() });
    return true;
  }
  return false;
}

/** Reads the text after a schema's subject: a path, and a fact of the schema there. */
function readNode(root: Node, text: string): boolean {
  let node = root;
  let rest = text;
  for (let match = step.exec(rest); match; match = step.exec(rest)) {
    const [name] = match;
    rest = rest.slice(name.length);
    const [, keyword, number] = /^\((\w+) (\d+)\)$/.exec(name) ?? [];
    if (keyword) {
      const branches = entry(node.branches, keyword, (): Node[] => []);
      while (branches.length < Number(number)) branches.push(newNode());
      node = branches[Number(number) - 1] ?? node;
    } else {
      node = entry(node.children, name, newNode);
    }
  }
  const [, value] = /^ enum (.+)$/.exec(rest) ?? [];
  if (value) {
    node.values.add(value);
    return true;
  }
  const [, subject, told] = /^ meaning of ("(?:[^"\\]|\\.)*"|[^\s:]+): (".*")$/.exec(rest) ?? [];
  if (subject && told) {
    node.meanings.set(subject, told);
    return true;
  }
  const [, condition, form] = /^ (if|then|else|not|variant \S+) (\{.*\})$/.exec(rest) ?? [];
  if (condition && form) {
    node.conditions.set(condition, withoutDescriptions(form));
    return true;
  }
  const [, reference, types, more = ''] = /^: (?:-> (\S+)|([a-z|]+))(.*)$/.exec(rest) ?? [];
  if (!reference && !types) return false;
  if (reference) node.reference = reference;
  node.types = types?.split('|') ?? [];
  return readKeywords(node, more);
}

/** Reads ` required open maxLength=5 pattern="a b"`. Values are JSON and can contain spaces. */
function readKeywords(node: Node, text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const flag = /^ (required|open|deprecated)(?= |$)/.exec(rest);
    if (flag) {
      Object.assign(node, { [flag[1] ?? '']: true });
      rest = rest.slice(flag[0].length);
      continue;
    }
    const [start, word] = /^ (\w+)=/.exec(rest) ?? [];
    const name = reportedKeywords.find((keyword) => keyword === word);
    const value = start && name ? leadingJson(rest.slice(start.length)) : undefined;
    if (!start || !name || value === undefined) return false;
    node.keywords.set(name, value);
    rest = rest.slice(start.length + value.length);
  }
  return true;
}

/** The JSON value at the beginning of a text, up to a space or the end. */
function leadingJson(text: string): string | undefined {
  for (let end = text.indexOf(' '); ; end = text.indexOf(' ', end + 1)) {
    const part = end < 0 ? text : text.slice(0, end);
    try {
      JSON.parse(part);
      return part;
    } catch {
      if (end < 0) return undefined;
    }
  }
}

/** A condition's JSON without descriptions, which do not change the API. */
function withoutDescriptions(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)),
  );
}

function newNode(): Node {
  return {
    types: [],
    required: false,
    open: false,
    deprecated: false,
    keywords: new Map(),
    values: new Set(),
    meanings: new Map(),
    children: new Map(),
    branches: new Map(),
    conditions: new Map(),
  };
}

function newOperation(id: string): Operation {
  return { id, method: '', path: '', deprecated: false, place: '', facts: new Map(), places: new Map() };
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}
