import { z } from 'zod';
import { type GapText, gapTexts } from './gap-texts.ts';
import { readPeople } from './people.ts';

const nonEmpty = z.string().regex(/\S/, 'is empty');
const sentences = z.string().regex(/^[^a-z\s][\s\S]*[.?!]['"`)]?\s*$/, 'is not a whole sentence');
const pascalCase = z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'is not PascalCase');
const place = z.string().regex(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/, 'is not a place such as deals.create');
const gap = z.union([sentences, z.strictObject({ gap: nonEmpty, text: sentences })]);
const gaps = z.union([gap, z.array(gap).min(1)]).transform(gapTexts);
const gapExtensions = { 'x-open': gaps.optional(), 'x-inferred': gaps.optional(), 'x-conflict': gaps.optional() };
const kind = z.enum(['read', 'write', 'delete', 'send']);
const effect = z.strictObject({
  kind,
  sendsIf: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .refine((values) => Object.keys(values).length > 0, 'is empty')
    .optional(),
  testMode: nonEmpty.optional(),
  optOuts: z.strictObject({ operation: nonEmpty, field: nonEmpty }).optional(),
});
const rule = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/, 'is not kebab-case'),
  source: nonEmpty,
  text: sentences,
  values: z.record(z.string().regex(/^[a-z][A-Za-z0-9]*$/), z.union([z.string(), z.number()])).optional(),
  ...gapExtensions,
});
const errorCode = z.strictObject({
  meaning: nonEmpty,
  rule: nonEmpty,
  advice: sentences,
  concernsAll: z.literal(true).optional(),
});
const pagination = z.strictObject({
  in: z.enum(['query', 'body']),
  limit: nonEmpty,
  offset: nonEmpty,
  maximum: z.int().min(1).optional(),
  ...gapExtensions,
});
const group = z.strictObject({
  field: nonEmpty,
  who: nonEmpty,
  count: z.union([z.strictObject({ operation: nonEmpty, parameter: nonEmpty, result: nonEmpty }), z.literal('none')]),
});
const variant = z.strictObject({
  description: sentences,
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.union([z.looseObject({}), z.boolean()])).optional(),
});
const names = z.array(nonEmpty).min(1);

/** Kinds of objects that an extension can be on. */
type Place = 'root' | 'info' | 'operation' | 'response' | 'schema' | 'component schema';

interface Extension<Form extends z.ZodType> {
  /** `undefined` for any object. */
  on?: readonly Place[];
  form: Form;
  /** The form in words, for a fault. */
  write: string;
}

const define = <Form extends z.ZodType>(
  on: readonly Place[] | undefined,
  form: Form,
  write: string,
): Extension<Form> => ({
  ...(on && { on }),
  form,
  write,
});

const gapForm = 'whole sentences or {gap, text}, or a list of them';

/** The extensions: where each can be, and its form. spec/README.md explains the extensions. */
export const extensions = {
  'x-document': define(
    ['info'],
    z.strictObject({ number: z.int().min(1), sections: z.int().min(0) }),
    '{number, sections}',
  ),
  'x-source': define(['operation', 'component schema'], nonEmpty, 'the document and its sections, such as 1 §2, §4'),
  'x-open': define(undefined, gaps, gapForm),
  'x-inferred': define(undefined, gaps, gapForm),
  'x-conflict': define(undefined, gaps, gapForm),
  'x-sdk': define(
    ['operation'],
    z.union([place, z.strictObject({ method: place, unwrapBody: nonEmpty })]),
    'a place in the client, such as deals.comments.create, or {method, unwrapBody}',
  ),
  'x-effect': define(
    ['operation'],
    z.union([kind.transform((each): z.infer<typeof effect> => ({ kind: each })), effect]),
    'what a call does (read, write, delete or send), or {kind, sendsIf, testMode, optOuts: {operation, field}}',
  ),
  'x-undo': define(['operation'], nonEmpty, 'an operationId, previous-value or none'),
  'x-people': define(
    ['operation'],
    z
      .array(z.union([nonEmpty, group]))
      .min(1)
      .transform(readPeople),
    'a list of fields and of {field, who, count: {operation, parameter, result} or none}',
  ),
  'x-pagination': define(
    ['operation'],
    z.union([pagination, z.literal('none').transform(() => undefined)]),
    '{in: query or body, limit, offset, maximum}, or none',
  ),
  'x-envelope': define(
    ['response'],
    z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/),
    'the keys that lead to the payload, such as data.items, or none',
  ),
  'x-rate-limit': define(
    ['operation'],
    z.strictObject({ requests: z.int().min(1), seconds: z.int().min(1), per: nonEmpty, ...gapExtensions }),
    '{requests, seconds, per}',
  ),
  'x-rules': define(['operation', 'info'], z.array(rule).min(1), 'a list of {id, source, text, values}'),
  'x-errors': define(
    ['operation'],
    z.record(z.string().regex(/^\d+$/, 'a code has digits only'), errorCode),
    'a map of codes to {meaning, rule, advice}, with concernsAll: true where it applies',
  ),
  'x-enumDescriptions': define(['schema'], z.record(z.string(), nonEmpty), 'a map of value to meaning'),
  'x-enum-varnames': define(['schema'], z.array(pascalCase), 'a list of names in the order of the enum'),
  'x-record': define(
    ['component schema'],
    z.union([pascalCase, z.array(pascalCase).min(1)]),
    'the name of an open record, or a list of names',
  ),
  'x-title': define(['component schema'], names, 'a list of fields of the record'),
  'x-variants': define(
    ['component schema'],
    z.strictObject({
      name: pascalCase,
      description: sentences,
      variants: z
        .record(pascalCase, variant)
        .refine((variants) => Object.keys(variants).length > 1, 'has one variant only'),
    }),
    '{name, description, variants: {<name>: {description, required, properties}}}',
  ),
  'x-at-least-one': define(['component schema'], z.literal(true), 'true'),
  'x-inferred-limits': define(['schema'], names, 'a list of keywords of the schema, such as [type]'),
  'x-decoded': define(['schema'], nonEmpty, 'a description of the decoded value'),
  'x-tagGroups': define(['root'], z.array(z.strictObject({ name: nonEmpty, tags: names })), 'a list of {name, tags}'),
} as const satisfies Record<string, Extension<z.ZodType>>;

type Name = keyof typeof extensions;
/** The extensions of an object, as code reads them. */
export type Extensions = { [Each in Name]?: z.output<(typeof extensions)[Each]['form']> };

/** Extensions that mark gaps of the documents: what they do not say, only imply, or contradict. */
export const gapKinds = ['x-open', 'x-inferred', 'x-conflict'] as const;
export type GapKind = (typeof gapKinds)[number];

export interface Gap extends GapText {
  kind: GapKind;
}

/** Every gap of an object of a spec, including those of its paging. */
export function readGaps(node: object, path: readonly string[]): Gap[] {
  const found = readExtensions(node, path);
  return gapKinds.flatMap((kind) => {
    const all = [...(found[kind] ?? []), ...((kind === 'x-inferred' && found['x-pagination']?.[kind]) || [])];
    return all.map((one) => ({ kind, ...one }));
  });
}

export function isExtension(key: string): key is Name {
  return Object.hasOwn(extensions, key);
}

/** @throws `Error` with the place in the spec if an extension is malformed */
export function readExtensions(node: object, path: readonly string[]): Extensions {
  const faults: string[] = [];
  const found = Object.entries(node).flatMap(([key, value]) => {
    if (!isExtension(key)) return [];
    const { data, error } = extensions[key].form.safeParse(value);
    if (error) faults.push(`${key} must be ${extensions[key].write}`);
    return [[key, data]];
  });
  const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  if (faults.length > 0) throw new Error(`#/${pointer}: ${faults.join('; ')}`);
  return Object.fromEntries(found);
}
