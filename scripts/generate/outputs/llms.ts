import { effectTexts, quotaText, typeText } from '../../../src/cli/catalogue/type-text.ts';
import type { JsonSchema } from '../../../src/shared/reference.ts';
import { effectOf } from '../../spec/effect.ts';
import { specNames } from '../../spec/files.ts';
import { collectGaps, type GapGroup } from '../../spec/gaps.ts';
import { resolve, type Spec } from '../../spec/model.ts';
import type { Schema } from '../../spec/schema.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { methodCall, readList } from './method-call.ts';
import { buildReference, type Reference } from './reference.ts';
import { referenceSchema } from './reference-schema.ts';

/** A page or file that `llms.txt` links to. */
export interface LlmsLink {
  title: string;
  href: string;
  /** Short description of its contents. */
  about: string;
}

const lead = `One typed TypeScript client for a platform's CRM, messaging-app campaigns, web push and transactional email, with a stateful sandbox.`;

const basics = `- Every method takes one flat object: path, query and body fields together, under the names below. It returns the payload without its envelope.
- A method with pages returns a list: \`await\` returns the first page (\`data\`, \`total\`, \`nextOffset\`), and \`for await\` reads all items.
- Effects: \`read\` changes no data; \`write\` creates or changes data; \`delete\` deletes or removes data; \`send\` reaches people or costs money. Ask a person before \`delete\` and \`send\`.
- The service has no idempotency keys. Every error says in \`error.sent\` whether the request may have been processed: after \`maybe\`, check what happened before you repeat the call.
- Without a key, use the sandbox: \`createSandbox()\` of \`carillon-sandbox\`, or the command \`npx carillon-sandbox\`. It enforces every documented rule.
- Fields that are not listed here are not documented. Do not guess names.
- Gaps: facts that are not documented, only assumed, or contradictory. Do not rely on them.`;

/** Links of the `llms.txt` in the package `carillon`, which is in `dist/docs/`. */
export const packageLinks: readonly LlmsLink[] = [
  {
    title: 'All methods in full',
    href: 'llms-full.txt',
    about: 'parameters, limits, rules, error codes, gaps, examples',
  },
  { title: 'README', href: '../../README.md', about: 'install, first calls' },
  { title: 'For agents', href: 'AGENTS.md', about: 'how to work with this package' },
  { title: 'Errors and retries', href: 'errors.md', about: 'what to do after a failure, and what the client retries' },
  { title: 'Errors in detail', href: 'errors-reference.md', about: 'every error, retry rule, hook and trace' },
  { title: 'Options in detail', href: 'options-reference.md', about: 'options, entries and credentials' },
  ...specNames.map((name) => ({
    title: `spec/${name}.yaml`,
    href: `../spec/${name}.yaml`,
    about: 'OpenAPI 3.1',
  })),
];

/** `llms.txt`: basics, links, and one line for each method. */
export function renderLlms(models: readonly SpecModel[], links: readonly LlmsLink[]): string {
  const listed = models.map(
    ({ spec, operations }) =>
      `## ${spec.openapi.info.title}\n\n${operations
        .map(
          ({ spec: { name }, place, operation }) =>
            `- \`${name}.${place}\` (${effectOf(operation).kind}): ${operation.summary}`,
        )
        .join('\n')}`,
  );
  return `${[
    '# Carillon',
    `> ${lead}`,
    basics,
    '## Read more',
    links.map(({ title, href, about }) => `- [${title}](${href}): ${about}`).join('\n'),
    ...listed,
  ].join('\n\n')}\n`;
}

/** `llms-full.txt`: every method with its parameters, limits, rules, error codes, gaps and an example. */
export function renderLlmsFull(models: readonly SpecModel[]): string {
  const products = models.map((model) => {
    const reference = buildReference(model);
    const { spec, operations } = model;
    const ofProduct = Object.values(reference.rules).filter((rule) => rule.operation === undefined);
    const groups = collectGaps(spec);
    const bodies = new Set(operations.flatMap(({ bodyModel }) => schemaPointer(bodyModel) ?? []));
    const ofDocument = groups.filter(({ operation, pointer }) => operation === undefined && pointer === undefined);
    const shared = groups.filter(({ pointer }) => pointer !== undefined && !bodies.has(pointer));
    return [
      `# ${spec.openapi.info.title}`,
      list('Rules', ofProduct),
      gapBlock(ofDocument),
      ...operations.map((operation) => section(operation, reference, groups)),
      types(reference, spec),
      sharedGaps(shared),
    ];
  });
  return `${['# Carillon', `> ${lead}`, basics, ...products.flat()].filter(Boolean).join('\n\n')}\n`;
}

function section(
  operation: OperationModel,
  { operations, rules, schemas }: Reference,
  groups: readonly GapGroup[],
): string {
  const { operationId, place, paging, spec, operation: source } = operation;
  const reference = operations[operationId];
  if (!reference) throw new Error(`There is no reference of ${operationId}`);
  const { summary, description, effect, parameters = {}, quota, errors = {}, statuses = {} } = reference;
  const body: JsonSchema = schemas[reference.body ?? ''] ?? {};
  const { properties = {}, required = [], additionalProperties: open } = body;
  const needed = operation.fields.filter((field) => field.required).map(({ name }) => name);
  const pages =
    paging && `Pages: \`${paging.limit}\`, \`${paging.offset}\`${paging.maximum ? `, at most ${paging.maximum}` : ''}.`;
  const fields = [
    ...fieldLines(parameters, needed),
    ...fieldLines(properties, required),
    paging?.['x-inferred'] &&
      `- \`${paging.limit}\`, \`${paging.offset}\` (integer): the page; not documented for this operation`,
    open === true && '- any other field: the fields of this body are not documented',
  ].filter(Boolean);
  const failures = [
    ...Object.entries(statuses).map(([status, meaning]) => `- status ${status}: ${meaning}`),
    ...Object.entries(errors).map(([code, { meaning }]) => `- code ${code}: ${meaning}`),
  ];
  const pointerOfBody = schemaPointer(operation.bodyModel);
  const own = groups.filter(({ pointer, operation: owner }) =>
    pointer === undefined ? owner?.operationId === operationId : pointer === pointerOfBody,
  );
  const example = (paging ? readList : methodCall)(operation, operation.fields, { constants: false });
  return [
    `## ${spec.name}.${place}`,
    [
      `${summary}.`,
      source.deprecated && 'Deprecated.',
      `Effect: ${effect} (${effectTexts[effect]}).`,
      `operationId: \`${operationId}\`.`,
    ]
      .filter(Boolean)
      .join(' '),
    [description, pages, quota && `Quota: ${quotaText(quota)}.`].filter(Boolean).join(' '),
    fields.length > 0 && `Parameters:\n${fields.join('\n')}`,
    `Returns: ${resultText(operation)}.`,
    responseValues(operation),
    list(
      'Rules',
      (reference.rules ?? []).flatMap((id) => rules[id] ?? []),
    ),
    failures.length > 0 && `Failures:\n${failures.join('\n')}`,
    gapBlock(own),
    `\`\`\`ts\n${example}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The payload, as the names of its types or of its fields. */
function resultText({ envelope: { payload }, paging, spec }: OperationModel): string {
  if (!payload) return 'nothing';
  const { items } = paging ? resolve(spec.openapi, payload) : payload;
  const record = items ?? payload;
  const fields = Object.keys(record.properties ?? {});
  const type = record.$ref?.split('/').at(-1) ?? (fields.length > 0 ? `{ ${fields.join(', ')} }` : String(record.type));
  if (paging) return `a list of \`${type}\`, page by page`;
  return items ? `an array of \`${type}\`` : `\`${type}\``;
}

/** The fields of the response, at any depth, that have only certain values. */
function responseValues({ envelope: { payload }, spec: { openapi } }: OperationModel): string {
  const lines = new Set<string>();
  const visited = new Set<Schema>();
  const visit = (schema: Schema, name: string): void => {
    const target = resolve(openapi, schema);
    if (target.enum) for (const line of fieldLines({ [name]: asWritten(schema) }, [])) lines.add(line);
    if (visited.has(target)) return;
    visited.add(target);
    const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties: entries } = target;
    for (const part of [items, ...anyOf, ...oneOf, ...allOf, entries]) if (typeof part === 'object') visit(part, name);
    for (const [field, inner] of Object.entries(properties)) visit(inner, field);
  };
  if (payload) visit(payload, '');
  return lines.size > 0 ? `Values in the response:\n${[...lines].join('\n')}` : '';
}

function asWritten(schema: Schema): JsonSchema {
  return referenceSchema(schema, (text) => text);
}

function fieldLines(fields: Readonly<Record<string, JsonSchema>>, required: readonly string[]): string[] {
  return Object.entries(fields).map(([name, schema]) => {
    const facts = `${typeText(schema)}${required.includes(name) ? ', required' : ''}`;
    const line = `- \`${name}\` (${facts})${schema.description ? `: ${schema.description}` : ''}`;
    const { properties = {}, required: inner = [] } = schema.items ?? schema;
    return [line, ...fieldLines(properties, inner).map((each) => each.replace(/^/gm, '  '))].join('\n');
  });
}

/** The schemas that fields refer to by name, and those that list the values of fields in responses. */
function types({ schemas, operations }: Reference, { openapi }: Spec): string {
  const bodies = new Set(Object.values(operations).map(({ body }) => body));
  const ofResponses = Object.entries(openapi.components.schemas)
    .filter(([name, { enum: values }]) => values && !Object.hasOwn(schemas, name))
    .map(([name, schema]): [string, JsonSchema] => [name, asWritten(schema)]);
  const lines = [...Object.entries(schemas), ...ofResponses]
    .filter(([name]) => !bodies.has(name))
    .map(([name, schema]) => {
      const { properties = {}, required = [], description = '' } = schema;
      const fields = fieldLines(properties, required).map((line) => `  ${line}`);
      const type = fields.length > 0 ? 'object' : typeText(schema);
      return [`- \`${name}\` (${type}): ${description}`, ...fields].join('\n');
    });
  return lines.length > 0 ? `## Types\n\n${lines.join('\n')}` : '';
}

function schemaPointer(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `#/components/schemas/${name}`;
}

/** Lists gaps, assumptions and contradictions. Merges identical entries. */
function gapBlock(groups: readonly GapGroup[]): string {
  const lines = gapLines(groups);
  return lines.length > 0 ? `Gaps:\n${lines.map((line) => `- ${line}`).join('\n')}` : '';
}

/**
 * The gaps of parts that several methods use, mostly records in responses. Omits assumptions, which mostly concern types of
 * fields in responses.
 */
function sharedGaps(groups: readonly GapGroup[]): string {
  const parts = groups.flatMap((group) => {
    const gaps = group.gaps.filter(({ kind }) => kind !== 'x-inferred');
    return gaps.length > 0 ? `- \`${group.title}\`: ${gapLines([{ ...group, gaps }]).join(' ')}` : [];
  });
  return parts.length > 0 ? `## Gaps in records and shared parts\n\n${parts.join('\n')}` : '';
}

function gapLines(groups: readonly GapGroup[]): string[] {
  const places = new Map<string, string[]>();
  for (const { text, place } of groups.flatMap(({ gaps }) => gaps)) {
    places.set(text, [...(places.get(text) ?? []), ...(place === '' ? [] : [place])]);
  }
  return [...places].map(([text, found]) => (found.length > 0 ? `(${found.join(', ')}) ${text}` : text));
}

function list(heading: string, rules: readonly { text: string }[]): string {
  return rules.length > 0 ? `${heading}:\n${rules.map(({ text }) => `- ${text}`).join('\n')}` : '';
}
