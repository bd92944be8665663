import type { JsonType } from '../../shared/observed/classes.ts';
import { addShapes, type Observed, type ObservedReply, type Shape } from '../../shared/observed/observed.ts';
import { bodyPlace, documentedReply, type Place } from '../../shared/observed/places.ts';
import type { DocumentedReply, UndocumentedPoint } from '../../shared/replies.ts';
import { type LearntProduct, learntProducts } from './products.ts';

/** Verdicts on an undocumented point. */
export const states = ['settled', 'supported', 'contradicted', 'not seen', 'traffic cannot tell'] as const;
export type State = (typeof states)[number];

/** Number of accounts and replies behind a finding. */
export interface Basis {
  accounts: number;
  replies: number;
}

/** An undocumented point and its verdict. */
export interface PointFinding extends Basis {
  product: LearntProduct['name'];
  point: UndocumentedPoint;
  state: State;
  /** The observed form. */
  shows: string;
  /** Shape observed at the place, if the point is about a schema. */
  shape?: Shape;
}

/** A difference between a reply and the spec. */
export interface Difference extends Basis {
  product: LearntProduct['name'];
  operationId: string;
  status: string;
  /** Place in the reply: `data[].name`. */
  place: string;
  kind: 'type' | 'null' | 'missing field' | 'value' | 'format' | 'status' | 'body';
  text: string;
}

/** A field that is not in the spec. */
export interface NewField extends Basis {
  product: LearntProduct['name'];
  /** Pointer of the schema of its record. */
  at: string;
  name: string;
  shape: Shape;
  /** Number of records of its type. */
  records: number;
}

/** All findings of a file of observations. */
export interface Findings {
  accounts: number;
  replies: number;
  points: PointFinding[];
  differences: Difference[];
  newFields: NewField[];
  /** Record → number of fields whose names are not written. */
  unnamed: Map<string, number>;
}

/** Observations at one pointer of a spec, over all operations and accounts. */
interface AtPointer {
  shape: Shape;
  accounts: Set<string>;
  replies: number;
  /** Number of objects that can have it as a field. */
  parents: number;
}

/** A reply of one account. */
interface SeenReply {
  account: string;
  product: LearntProduct;
  operationId: string;
  status: string;
  reply: ObservedReply;
  documented: DocumentedReply | undefined;
}

/** Compares observations with the specs. */
export function findAll(observed: Observed): Findings {
  const replies = listReplies(observed);
  const index = new Index();
  const differences = new Map<string, Difference & { of: Set<string> }>();
  for (const seen of replies) {
    const { product, operationId, status, reply, account } = seen;
    const note = (place: string, kind: Difference['kind'], text: string): void => {
      const key = [operationId, status, place, kind, text].join('\n');
      const known = differences.get(key);
      const of = (known?.of ?? new Set()).add(account);
      const sum = (known?.replies ?? 0) + reply.replies;
      differences.set(key, {
        product: product.name,
        operationId,
        status,
        place,
        kind,
        text,
        of,
        accounts: of.size,
        replies: sum,
      });
    };
    compareReply(seen, note);
    const place = seen.documented && bodyPlace(product.replies, seen.documented);
    if (reply.body && place) {
      index.visit(seen, reply.body, place, reply.bodies);
      compareShape(reply.body, place, '', note);
    }
  }
  return {
    accounts: Object.keys(observed.accounts).length,
    replies: replies.reduce((sum, { reply }) => sum + reply.replies, 0),
    points: learntProducts.flatMap((product) =>
      product.points.map((point) => judgePoint(product, point, index, replies)),
    ),
    differences: [...differences.values()].map(({ of: _, ...difference }) => difference),
    newFields: index.newFields(),
    unnamed: index.unnamed,
  };
}

function listReplies({ accounts }: Observed): SeenReply[] {
  return Object.entries(accounts).flatMap(([account, operations]) =>
    Object.entries(operations).flatMap(([operationId, statuses]) => {
      const product = learntProducts.find(({ replies }) => Object.hasOwn(replies.operations, operationId));
      // Ignore an operation that a later version added.
      if (!product) return [];
      return Object.entries(statuses).map(([status, reply]) => ({
        account,
        product,
        operationId,
        status,
        reply,
        documented: documentedReply(product.replies, operationId, status),
      }));
    }),
  );
}

/** Groups the observations by pointers of the specs. */
class Index {
  readonly #places = new Map<string, AtPointer>();
  readonly #fields = new Map<string, NewField & { of: Set<string> }>();
  readonly unnamed = new Map<string, number>();

  at(product: LearntProduct, pointer: string): AtPointer | undefined {
    return this.#places.get(`${product.name} ${pointer}`);
  }

  newFields(): NewField[] {
    return [...this.#fields.values()].map(({ of, ...field }) => ({ ...field, accounts: of.size }));
  }

  visit(seen: SeenReply, shape: Shape, place: Place, parents: number): void {
    for (const { at } of place.schemas) {
      const key = `${seen.product.name} ${at}`;
      const known = this.#places.get(key);
      this.#places.set(key, {
        shape: known ? addShapes(known.shape, shape) : shape,
        accounts: (known?.accounts ?? new Set()).add(seen.account),
        replies: (known?.replies ?? 0) + shape.replies,
        parents: (known?.parents ?? 0) + parents,
      });
    }
    const objects = shape.types.object ?? 0;
    const record = recordPointer(place);
    const key = `${seen.product.name}: ${nameOfPointer(record)}`;
    if (shape.unnamed) this.unnamed.set(key, (this.unnamed.get(key) ?? 0) + shape.unnamed);
    for (const name of place.names) {
      const [field, inner] = [place.field(name), shape.fields?.[name]];
      if (field) this.visit(seen, inner ?? none, field, objects);
    }
    for (const [name, inner] of Object.entries(shape.fields ?? {})) {
      // Failures are compared with the points about failures.
      if (!place.field(name) && /^2\d\d$/.test(seen.status)) this.#noteField(seen, record, name, inner, objects);
    }
    const { items, entries } = place;
    if (shape.items && items) this.visit(seen, shape.items, items, 0);
    if (shape.entries && entries) this.visit(seen, shape.entries, entries, 0);
  }

  #noteField(seen: SeenReply, at: string, name: string, shape: Shape, records: number): void {
    const key = `${seen.product.name} ${at} ${name}`;
    const known = this.#fields.get(key);
    this.#fields.set(key, {
      product: seen.product.name,
      at,
      name,
      shape: known ? addShapes(known.shape, shape) : shape,
      records: (known?.records ?? 0) + records,
      replies: (known?.replies ?? 0) + shape.replies,
      accounts: 0,
      of: (known?.of ?? new Set()).add(seen.account),
    });
  }
}

const none: Shape = { types: {}, replies: 0, multiple: 0 };

/** The component of a record, or its own place. */
function recordPointer({ schemas }: Place): string {
  const objects = schemas.filter(({ schema }) => schema.properties ?? schema.additionalProperties);
  return (objects[0] ?? schemas.at(-1))?.at ?? '';
}

/** Formats a pointer for readers, such as `Deal › price` or `GET /users › data`. */
export function nameOfPointer(pointer: string): string {
  const parts = pointer
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [section, first = '', second = ''] = parts;
  if (section === 'info') return 'the document as a whole';
  const head = section === 'paths' ? `${second.toUpperCase()} ${first}` : second;
  const hidden = ['content', 'application/json', 'schema', 'properties', 'items', 'responses', 'anyOf', 'allOf'];
  const rest = parts.slice(3).filter((part) => !hidden.includes(part) && !/^\d$/.test(part));
  return [head, ...rest].join(' › ');
}

/** Returns the number of values at a place. */
export function countOf({ types }: Shape): number {
  return Object.values(types).reduce((sum, count) => sum + count, 0);
}

/** Whether there are three replies with two records each. A reply with one record counts half. */
export function isEnough({ replies, multiple }: Pick<Shape, 'replies' | 'multiple'>): boolean {
  return multiple + Math.floor((replies - multiple) / 2) >= 3;
}

type Note = (place: string, kind: Difference['kind'], text: string) => void;

function compareReply({ status, reply, documented, product, operationId }: SeenReply, note: Note): void {
  const statuses = Object.keys(product.replies.operations[operationId] ?? {});
  const isSuccess = /^2\d\d$/.test(status);
  if (isSuccess && !statuses.includes(status)) {
    note('', 'status', `documented: ${statuses.filter((one) => one.startsWith('2')).join(', ')}`);
    return;
  }
  if (isSuccess && documented?.schema && reply.bodies < reply.replies)
    note('', 'body', `${reply.replies - reply.bodies} of ${reply.replies} replies have no body`);
}

/** Whether a place of a spec allows everything that was observed. */
export function fits(shape: Shape, place: Place): boolean {
  let differences = 0;
  compareShape(shape, place, '', () => {
    differences += 1;
  });
  return differences === 0;
}

function compareShape(shape: Shape, place: Place, path: string, note: Note): void {
  const allowed = allowedTypes(place);
  const seen = Object.keys(shape.types) as JsonType[];
  const others = allowed ? seen.filter((type) => !allowed.has(type)) : [];
  if (others.includes('null')) note(path, 'null', `documented: ${[...(allowed ?? [])].join(' or ')}`);
  const types = others.filter((type) => type !== 'null');
  if (types.length > 0) note(path, 'type', `${types.join(' or ')}, documented: ${[...(allowed ?? [])].join(' or ')}`);
  if (shape.otherValues && types.length === 0 && place.values && !others.includes('null'))
    note(path, 'value', `${shape.otherValues} values are not among the ${place.values.length} known`);
  if (shape.misfits) note(path, 'format', `${textsOf(shape)}, documented pattern: ${place.pattern}`);
  const objects = shape.types.object ?? 0;
  for (const name of requiredNames(place)) {
    const count = countOf(shape.fields?.[name] ?? none);
    if (count < objects) note(step(path, name), 'missing field', `${objects - count} of ${objects} records lack it`);
  }
  for (const [name, inner] of Object.entries(shape.fields ?? {})) {
    const field = place.field(name);
    if (field) compareShape(inner, field, step(path, name), note);
  }
  const { items, entries } = place;
  if (shape.items && items) compareShape(shape.items, items, `${path}[]`, note);
  if (shape.entries && entries) compareShape(shape.entries, entries, `${path}.*`, note);
}

function step(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The documented types, or `undefined` if any is allowed. */
export function allowedTypes({ schemas }: Place): Set<JsonType> | undefined {
  const types = new Set<JsonType>();
  for (const { schema } of schemas) {
    const { type, $ref, anyOf, allOf, enum: values } = schema;
    if (type === undefined && !$ref && !anyOf && !allOf && !values) return undefined;
    for (const one of [type ?? []].flat()) {
      types.add(one as JsonType);
      if (one === 'number') types.add('integer');
    }
    if (type === undefined && values)
      for (const value of values) types.add(value === null ? 'null' : typeof value === 'string' ? 'string' : 'integer');
  }
  return types;
}

function requiredNames({ schemas }: Place): string[] {
  return [...new Set(schemas.flatMap(({ schema, isAlternative }) => (isAlternative ? [] : (schema.required ?? []))))];
}

function judgePoint(
  product: LearntProduct,
  point: UndocumentedPoint,
  index: Index,
  replies: readonly SeenReply[],
): PointFinding {
  const finding = { product: product.name, point, accounts: 0, replies: 0, shows: '' };
  const { evidence, at } = point;
  if (evidence === undefined) return { ...finding, state: 'traffic cannot tell' };
  if (evidence === 'presence' && at === '#/info') return judgePresence(finding, product, replies);
  if (evidence === 'failure' || evidence === 'body') {
    const seen = replies.filter((one) => one.product === product && concerns(one, point));
    if (seen.length === 0) return { ...finding, state: 'not seen' };
    const count = seen.reduce((sum, { reply }) => sum + reply.replies, 0);
    const bodies = seen.reduce((sum, { reply }) => sum + reply.bodies, 0);
    const isWide = at === '#/info' && point.gap !== 'credentials';
    const settles = evidence === 'failure' ? !isWide && seen.some((one) => showsMore(one, point)) : count >= 3;
    return {
      ...finding,
      accounts: new Set(seen.map(({ account }) => account)).size,
      replies: count,
      state: settles ? 'settled' : 'supported',
      shows:
        evidence === 'failure'
          ? describeFailures(seen)
          : bodies === 0
            ? 'no body'
            : `a body in ${bodies} of ${count} replies`,
    };
  }
  // The schema of a response is below its mark.
  const found = index.at(product, at) ?? index.at(product, `${at}/content/application~1json/schema`);
  if (!found) return { ...finding, state: 'not seen' };
  const { shape, accounts } = found;
  const basis = { accounts: accounts.size, replies: found.replies, shape };
  if (countOf(shape) === 0) {
    // The record was observed, always without the field.
    const state = evidence === 'presence' && found.parents >= 6 ? 'supported' : 'not seen';
    return { ...finding, ...basis, state, shows: `in none of ${found.parents} records` };
  }
  return { ...finding, ...basis, shows: describeShape(shape), state: judgeShape(evidence, shape) };
}

/** Judges the assumption that listed fields are in every reply, and not null. Counts the exceptions for each field. */
function judgePresence(
  finding: Omit<PointFinding, 'state'>,
  product: LearntProduct,
  replies: readonly SeenReply[],
): PointFinding {
  const exceptions = new Set<string>();
  const seen = replies.filter((one) => one.product === product && one.reply.body && /^2/.test(one.status));
  for (const { documented, operationId, reply } of seen) {
    const place = documented && bodyPlace(product.replies, documented);
    if (!reply.body || !place) continue;
    compareShape(reply.body, place, '', (path, kind, text) => {
      if (kind === 'null') exceptions.add(`${operationId} › ${path}: null`);
      if (kind === 'missing field') exceptions.add(`${operationId} › ${path}: ${text}`);
    });
  }
  if (seen.length === 0) return { ...finding, state: 'not seen' };
  return {
    ...finding,
    accounts: new Set(seen.map(({ account }) => account)).size,
    replies: seen.reduce((sum, { reply }) => sum + reply.replies, 0),
    state: exceptions.size > 0 ? 'contradicted' : 'supported',
    shows: exceptions.size > 0 ? [...exceptions].join('; ') : 'no listed field was missing or null',
  };
}

function judgeShape(evidence: UndocumentedPoint['evidence'], shape: Shape): State {
  if (evidence === 'values') return shape.otherValues ? 'contradicted' : 'supported';
  const isNull = countOf(shape) === (shape.types.null ?? 0);
  // A flag and a small count look alike.
  const isFlagOrCount = evidence === 'format' && Object.keys(shape.integers ?? {}).join() === '0-1';
  return isEnough(shape) && !isNull && !isFlagOrCount ? 'settled' : 'supported';
}

/** Whether a reply can settle a point about failures or bodies. */
function concerns(
  { status, documented, operationId, product }: SeenReply,
  { at, evidence, gap }: UndocumentedPoint,
): boolean {
  if (evidence === 'body') return documented?.at === at;
  const isFailure = !/^2\d\d$/.test(status);
  if (!isFailure || !documented) return false;
  if (gap === 'credentials' || at === '#/components/securitySchemes/bearerAuth') {
    const isAnonymous = at.startsWith('#/paths');
    return isAnonymous ? isBelow(product, operationId, at) : status === '401' || status === '403';
  }
  if (at === '#/info') return true;
  if (at.startsWith('#/paths')) return isBelow(product, operationId, at);
  const place = bodyPlace(product.replies, documented);
  return documented.at.startsWith(at) || (place?.schemas.some((one) => one.at === at) ?? false);
}

/** Statuses of a gateway in front of the service. */
const gatewayStatuses = ['502', '503', '504'];

/**
 * Whether a failure settles a point. Those of a gateway and those without JSON do not show the failures of the service, and those about
 * credentials show no others.
 */
function showsMore({ status, reply }: SeenReply, { at, gap }: UndocumentedPoint): boolean {
  const isAboutCredentials = gap === 'credentials' || at === '#/components/securitySchemes/bearerAuth';
  const { object = 0, array = 0 } = reply.body?.types ?? {};
  if (gatewayStatuses.includes(status) || object + array === 0) return false;
  return isAboutCredentials || (status !== '401' && status !== '403');
}

function isBelow({ replies }: LearntProduct, operationId: string, at: string): boolean {
  return Object.values(replies.operations[operationId] ?? {}).some(
    (one) => one.at.startsWith(`${at}/`) || one.at === at,
  );
}

function describeFailures(seen: readonly SeenReply[]): string {
  const forms = new Map<string, number>();
  for (const { status, reply } of seen) {
    const form = `${status}: ${reply.body ? describeShape(reply.body) : 'no body'}`;
    forms.set(form, (forms.get(form) ?? 0) + reply.replies);
  }
  const shown = [...forms].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, 6);
  const more = forms.size - shown.length;
  return shown.map(([form]) => form).join('; ') + (more > 0 ? `; and ${more} other forms` : '');
}

function textsOf({ texts = {} }: Shape): string {
  return Object.keys(texts).sort().join(' or ');
}

/** Describes the form of a place in words. */
export function describeShape(shape: Shape, level = 0): string {
  const { types, texts, integers, fields = {}, unnamed, manyNames, items } = shape;
  const parts = (Object.keys(types) as JsonType[]).sort().map((type) => {
    if (type === 'string' && texts) return `string (${textsOf(shape)})`;
    if (type === 'integer' && integers) return `integer (${Object.keys(integers).sort().join(' or ')})`;
    if (type === 'array') return items && level < 3 ? `list of ${describeShape(items, level + 1)}` : 'list';
    if (type !== 'object' || level >= 3) return type;
    const objects = types.object ?? 0;
    const names = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = names.map(([name, inner]) => {
      const count = countOf(inner);
      return `${name}: ${describeShape(inner, level + 1)}${count < objects ? ` in ${count} of ${objects}` : ''}`;
    });
    const other = manyNames ? ['more names than are kept'] : unnamed ? ['other fields'] : [];
    return `{ ${[...shown, ...other].join(', ')} }`;
  });
  return parts.join(' or ');
}
