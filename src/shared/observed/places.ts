import type { DocumentedReply, Replies, ReplySchema } from '../replies.ts';

/** A place in a documented reply, with the schemas that describe it and their pointers in the spec. */
export class Place {
  /** Schemas of the place, with references resolved and `allOf`, `anyOf` and `oneOf` expanded. */
  readonly schemas: readonly Located[];
  readonly #replies: Replies;
  /** The documented values, if the list is complete. */
  readonly values: readonly (string | number | null)[] | undefined;
  readonly pattern: string | undefined;
  /** Set if undocumented names are data of the user. */
  readonly isMap: boolean;
  /** Set if the spec has another type than an object. The names in an object are then unlike those of a record. */
  readonly excludesObjects: boolean;

  constructor(replies: Replies, schemas: readonly Located[]) {
    this.#replies = replies;
    this.schemas = schemas.flatMap((schema) => expand(replies, schema));
    // With several schemas, a value may match another one.
    const certain = this.schemas.filter(({ isAlternative }) => !isAlternative).map(({ schema }) => schema);
    this.values = certain.find((schema) => schema.enum)?.enum;
    this.pattern = certain.find((schema) => schema.pattern)?.pattern;
    this.isMap = this.entries !== undefined || this.schemas.some(({ schema }) => schema.ownNames);
    this.excludesObjects = certain.some(({ type }) => type !== undefined && ![type].flat().includes('object'));
  }

  /** Returns the place of a field, or `undefined` if the spec does not name it. */
  field(name: string): Place | undefined {
    return this.#inside((schema) => ownSchema(schema.properties, name), `properties/${escapeName(name)}`);
  }

  /** The items of a list. */
  get items(): Place | undefined {
    return this.#inside(({ items }) => items, 'items');
  }

  /** The values of a map: an object whose names are data. */
  get entries(): Place | undefined {
    return this.#inside(
      ({ additionalProperties }) => (typeof additionalProperties === 'object' ? additionalProperties : undefined),
      'additionalProperties',
    );
  }

  /** Names of the documented fields. */
  get names(): string[] {
    return [...new Set(this.schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
  }

  #inside(choose: (schema: ReplySchema) => ReplySchema | undefined, step: string): Place | undefined {
    const found = this.schemas.flatMap(({ schema, at, isAlternative = false }): Located[] => {
      const inner = choose(schema);
      return inner ? [{ schema: inner, at: `${at}/${step}`, isAlternative }] : [];
    });
    return found.length === 0 ? undefined : new Place(this.#replies, found);
  }
}

/** A schema with its pointer in the spec. */
export interface Located {
  readonly schema: ReplySchema;
  readonly at: string;
  /** Set for a branch of `anyOf` or `oneOf`. */
  readonly isAlternative?: boolean;
}

/** The place of the body of a documented reply. */
export function bodyPlace(replies: Replies, { at, schema }: DocumentedReply): Place | undefined {
  return schema && new Place(replies, [{ at, schema }]);
}

/** Returns the documented reply of a status, otherwise the `default` reply. */
export function documentedReply(replies: Replies, operationId: string, status: string): DocumentedReply | undefined {
  const known = Object.hasOwn(replies.operations, operationId) ? replies.operations[operationId] : undefined;
  return known?.[status] ?? known?.default;
}

/** The names of all fields of all replies of a product. */
export function namesOf({ operations, schemas }: Replies): Set<string> {
  const names = new Set<string>();
  const visit = (schema: ReplySchema): void => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      names.add(name);
      visit(inner);
    }
    for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) if (inner) visit(inner);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
  };
  for (const schema of Object.values(schemas)) visit(schema);
  for (const { schema } of Object.values(operations).flatMap((statuses) => Object.values(statuses)))
    if (schema) visit(schema);
  return names;
}

function expand(replies: Replies, located: Located, depth = 0): Located[] {
  const { schema, at, isAlternative } = located;
  const { $ref, anyOf = [], allOf = [] } = schema;
  const name = $ref?.slice($ref.lastIndexOf('/') + 1);
  const target = name === undefined ? undefined : ownSchema(replies.schemas, name);
  // A schema that refers only to itself is an error of the spec, which the lint reports.
  if (depth > 20) return [];
  const inside: Located[] = [
    ...(target && $ref ? [{ schema: target, at: $ref, isAlternative }] : []),
    ...anyOf.map((inner, index) => ({ schema: inner, at: `${at}/anyOf/${index}`, isAlternative: true })),
    ...allOf.map((inner, index) => ({ schema: inner, at: `${at}/allOf/${index}`, isAlternative })),
  ].map(({ isAlternative: inherited, ...one }) => (inherited ? { ...one, isAlternative: true } : one));
  return [located, ...inside.flatMap((inner) => expand(replies, inner, depth + 1))];
}

function ownSchema(schemas: Readonly<Record<string, ReplySchema>> | undefined, name: string): ReplySchema | undefined {
  return schemas && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
