import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../shared/is-record.ts';
import { jsonTypes } from '../../shared/observed/classes.ts';
import type { Shape } from '../../shared/observed/observed.ts';
import { Place } from '../../shared/observed/places.ts';
import type { Replies } from '../../shared/replies.ts';
import { allowedTypes, countOf, type Findings, fits, isEnough, nameOfPointer, type PointFinding } from './findings.ts';
import { type LearntProduct, learntProducts } from './products.ts';

/** An OpenAPI Overlay, version 1.0. */
export interface Overlay {
  overlay: '1.0.0';
  info: { title: string; version: string };
  actions: OverlayAction[];
}

interface OverlayAction {
  target: string;
  description?: string;
  update?: object;
  remove?: true;
}

/** Options of {@link createOverlay}. */
export interface OverlayOptions {
  /** The settled points to close: pointers of a spec, or `all`. */
  accept?: readonly string[];
}

/**
 * Writes the findings about one spec as an overlay, which adds `x-observed` to the observed places. If a point is settled and accepted, the
 * overlay removes its `x-open`, and adds the observed types and fields. It never makes a field required.
 */
export function createOverlay(
  findings: Findings,
  product: LearntProduct['name'],
  { accept = [] }: OverlayOptions = {},
): Overlay {
  // An assumption has no `x-open` to close.
  const points = findings.points.filter(({ product: name, point }) => name === product && point.mark === undefined);
  const seen = new Map<string, PointFinding[]>();
  for (const one of points) {
    if (one.state === 'not seen' || one.state === 'traffic cannot tell') continue;
    seen.set(one.point.at, [...(seen.get(one.point.at) ?? []), one]);
  }
  const isAccepted = ({ state, point }: PointFinding): boolean =>
    state === 'settled' && (accept.includes('all') || accept.includes(point.at));
  const actions = [...seen].flatMap(([at, all]) => {
    const closed = all.filter(isAccepted);
    const marks = points.filter(({ point }) => point.at === at);
    return [
      observe(at, all),
      ...close(at, closed, marks.length),
      ...closed.flatMap((one) => describeAccepted(findings, one)),
    ];
  });
  return {
    overlay: '1.0.0',
    info: { title: `Observations about ${product}.yaml`, version: '1' },
    actions,
  };
}

function observe(at: string, all: readonly PointFinding[]): OverlayAction {
  const [first] = all;
  const update = {
    'x-observed': {
      accounts: Math.max(...all.map(({ accounts }) => accounts)),
      replies: Math.max(...all.map(({ replies }) => replies)),
      ...(first && { shows: first.shows }),
    },
  };
  return { target: jsonPath(at), description: nameOfPointer(at), update };
}

function close(at: string, closed: readonly PointFinding[], marks: number): OverlayAction[] {
  if (closed.length === 0) return [];
  if (closed.length === marks) return [{ target: `${jsonPath(at)}['x-open']`, remove: true }];
  // Remove from the end, so that earlier indexes stay valid.
  const places = closed.flatMap(({ point }) => point.index ?? []).sort((one, other) => other - one);
  return places.map((index) => ({ target: `${jsonPath(at)}['x-open'][${index}]`, remove: true }));
}

/** Returns the additions to the schemas of a closed point: the type, if they have none, and the new fields. */
function describeAccepted({ newFields }: Findings, { point, product, shape }: PointFinding): OverlayAction[] {
  const { at, evidence } = point;
  const { replies, points = [] } = learntProducts.find(({ name }) => name === product) ?? {};
  if (!replies || !shape || (evidence !== 'fields' && evidence !== 'type')) return [];
  if (isUntyped(replies, at)) {
    // The place has its own `x-observed`.
    const { 'x-observed': _, ...update }: Record<string, unknown> = {
      ...new ObservedSchemas(replies).schema(shape),
    };
    return [{ target: jsonPath(at), update }];
  }
  const inside = newFields.filter(
    (field) =>
      field.product === product &&
      isEnough(field.shape) &&
      isInside(field.at, at) &&
      // A nested point adds its own fields.
      !points.some((other) => other.at !== at && isInside(other.at, at) && isInside(field.at, other.at)),
  );
  return [...new Set(inside.map((field) => field.at))].map((record) => {
    const schemas = new ObservedSchemas(replies);
    const properties = Object.fromEntries(
      inside.filter((field) => field.at === record).map(({ name, shape }) => [name, schemas.described(shape)]),
    );
    const type = isUntyped(replies, record) ? { type: 'object', additionalProperties: true } : {};
    return { target: jsonPath(record), update: { ...type, properties } };
  });
}

function isInside(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** Whether a schema permits any value. */
function isUntyped({ schemas }: Replies, pointer: string): boolean {
  const [, , , name = '', ...steps] = pointer.split('/');
  let schema: unknown = pointer.startsWith('#/components/schemas/') ? schemas[name] : undefined;
  for (const part of steps) schema = Reflect.get(Object(schema), part);
  return isRecord(schema) && Object.keys(schema).every((key) => key === 'open' || key === 'ownNames');
}

const description = 'Seen in replies; not documented.';
const maxDepth = 4;

/** Writes schemas of observed values. */
class ObservedSchemas {
  readonly #replies: Replies;

  constructor(replies: Replies) {
    this.#replies = replies;
  }

  /** Returns a schema with a description. */
  described(shape: Shape, level = 0, known?: Place): object {
    return { description, ...this.schema(shape, level, known) };
  }

  /**
   * @param known - the same field of the component that describes the record. Its documented types are allowed, too.
   */
  schema(shape: Shape, level = 0, known?: Place): object {
    const documented = known && allowedTypes(known);
    if (known && !documented) return anyValue;
    const seen = jsonTypes.filter((type) => (shape.types[type] ?? 0) > 0);
    if (seen.every((type) => type === 'null')) return { 'x-observed': { shows: 'null' } };
    const all = new Set([...seen, ...(documented ?? [])]);
    const types = jsonTypes.filter((type) => all.has(type) && !(type === 'integer' && all.has('number')));
    return {
      type: types.length === 1 ? types[0] : types,
      ...(types.includes('array') && { items: this.#items(shape, level, known) }),
      ...(types.includes('object') && this.#object(shape, level, known)),
    };
  }

  #items({ items }: Shape, level: number, known: Place | undefined): object {
    const isDescribed = items && countOf(items) > 0 && level < maxDepth;
    return isDescribed ? this.described(items, level + 1, known?.items) : { description, ...anyValue };
  }

  #object(shape: Shape, level: number, known: Place | undefined): object {
    const { fields = {} } = shape;
    const record = known ?? this.#component(shape);
    const seen = Object.entries(fields).filter(([, field]) => isEnough(field));
    const inner =
      level < maxDepth
        ? seen.map(([name, field]) => [name, this.described(field, level + 1, record?.field(name))])
        : [];
    return {
      additionalProperties: true,
      ...(inner.length > 0 && { properties: Object.fromEntries(inner) }),
      'x-observed': { shows: 'object' },
    };
  }

  /**
   * Returns the component that has the same three or more fields as an observed object, and allows what was observed. The observed
   * record can be the same one, so its types must not be narrower.
   */
  #component(shape: Shape): Place | undefined {
    const names = Object.keys(shape.fields ?? {}).sort();
    if (names.length < 3 || shape.unnamed) return undefined;
    return Object.entries(this.#replies.schemas)
      .map(([name, schema]) => new Place(this.#replies, [{ schema, at: `#/components/schemas/${name}` }]))
      .find((place) => isDeepStrictEqual(place.names.sort(), names) && fits(shape, place));
  }
}

const anyValue = { 'x-observed': { shows: 'any value' } };

/** Converts a JSON Pointer to JSONPath. */
function jsonPath(pointer: string): string {
  const parts = pointer.replace(/^#\//, '').split('/');
  return `$${parts.map((part) => step(part.replaceAll('~1', '/').replaceAll('~0', '~'))).join('')}`;
}

function step(part: string): string {
  return /^\d+$/.test(part) && part.length < 3 ? `[${part}]` : `['${part.replace(/[\\']/g, '\\$&')}']`;
}
