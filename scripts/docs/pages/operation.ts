import {
  type Field,
  fieldsOf,
  findMethod,
  follow,
  type Method,
  takesOtherFields,
} from '../../../src/cli/catalogue/index.ts';
import { whenAsked } from '../../../src/cli/catalogue/needs-consent.ts';
import { effectTexts, quotaText, typeText } from '../../../src/cli/catalogue/type-text.ts';
import type { JsonSchema } from '../../../src/shared/reference.ts';
import type { OperationModel } from '../../generate/operation-model.ts';
import { casesOf } from '../../samples/cases.ts';
import { sampleLanguages } from '../../samples/languages.ts';
import { resolve } from '../../spec/model.ts';
import type { Schema, SpecDocument } from '../../spec/schema.ts';
import { describeSource } from '../../spec/source.ts';
import { codePath, guidePath, methodOf, operationPath, pagePaths } from '../addresses.ts';
import { choicesOfOperation } from '../choices-of.ts';
import { linkCodes, linkRule } from '../fact-links.ts';
import type { Guide } from '../guides.ts';
import { blocks, code, codeBlock, firstSentence, folded, link, list, plainText, table, within } from '../markdown.ts';
import type { SitePage } from '../page.ts';
import { redocLink } from '../redoc-link.ts';
import type { Reference } from '../reference.ts';
import type { UsedTypes } from '../used-types.ts';
import { adviceOn } from './errors.ts';
import { choiceText, openPoints } from './not-documented.ts';

export interface OperationContext {
  reference: Reference;
  guides: readonly Guide[];
  /** All operations by id, for links to the operation that undoes another. */
  byId: ReadonlyMap<string, OperationModel>;
  /** The open points of the types that each operation uses. */
  usedTypes: UsedTypes;
}

/** The page of an operation: all its facts, and what is not documented. */
export function operationPage(operation: OperationModel, context: OperationContext): SitePage {
  const { summary, description, deprecated } = operation.operation;
  const method = methodNamed(methodOf(operation));
  // Most readers want the parameters, so a long description continues below them.
  const [lead = '', ...details] = description.trim().split(/\n{2,}(?!-)/);
  const { name, effect, path, quota } = method;
  const body = blocks(
    deprecated === true && ':::caution[Deprecated]\nDo not use it in new programs.\n:::',
    linkCodes(lead),
    parametersSection(method),
    details.length > 0 && blocks('## Details', linkCodes(details.join('\n\n'))),
    replySection(operation, method),
    samplesSection(operation),
    rulesSection(method),
    errorsSection(method),
    quota && `## Quota\n\n${quotaText(quota)}.`,
    effectSection(method, context.byId),
    openSection(operation, context),
    furtherSection(operation, context),
  );
  return {
    path: operationPath(operation),
    title: summary,
    description: plainText(
      `${summary} with api.${name}() or ${operation.method} ${path}. ${firstSentence(description)}`,
    ),
    body,
    head: {
      operation: { verb: operation.method, path, method: name, id: operation.operationId, effect },
      searchWords: pathWords(operation),
    },
  };
}

/** The path as readers type it. The index treats `/deals/get-list` as one word and `get-list` as another. */
function pathWords({ base, path }: OperationModel): string {
  return [`${base}${path}`, path, ...path.split('/').filter((part) => /[-_]/.test(part))]
    .join(' ')
    .replaceAll(/[{}]/g, '');
}

function methodNamed(name: string): Method {
  const method = findMethod(name);
  if (!method) throw new Error(`The catalogue has no method ${name}: run npm run generate`);
  return method;
}

function parametersSection(method: Method): string {
  const fields = fieldsOf(method);
  const open = takesOtherFields(method);
  const others = {
    open: `The fields of this body are [not documented](${pagePaths.open}). The client sends any field.`,
    own: `The body also takes [your own fields](${guidePath('own-fields')}).`,
  };
  if (fields.length === 0 && open === undefined) return '## Parameters\n\nNone.';
  return blocks(
    '## Parameters',
    fields.length > 0 && fieldTable(fields.flatMap((field) => parameterRows(method, field))),
    open && others[open],
  );
}

function fieldTable(rows: readonly string[][]): string {
  return within('fields', table(['Name', 'Type', 'Description'], rows));
}

function parameterRows(method: Method, field: Field): string[][] {
  const { name, in: place, required, schema } = field;
  const marks = [required && '**required**', place !== 'body' && place, schema.deprecated && 'deprecated'];
  return [
    [blocks(code(name), marks.filter(Boolean).join(', ')), typeText(schema), schema.description ?? ''],
    ...innerRows(method, name, schema, 1),
  ];
}

const deepest = 3;

/** Rows for the fields of a record, or of each record in a list, by their full names. */
function innerRows(method: Method, above: string, schema: JsonSchema, depth: number): string[][] {
  const target = schema.items ? follow(method, schema.items) : schema;
  const prefix = schema.items ? `${above}[]` : above;
  const { properties = {}, required = [] } = target;
  if (depth > deepest) return [];
  return Object.entries(properties).flatMap(([name, inner]) => {
    const whole = `${prefix}.${name}`;
    const followed = follow(method, inner);
    return [
      [blocks(code(whole), required.includes(name) && '**required**'), typeText(followed), followed.description ?? ''],
      ...innerRows(method, whole, followed, depth + 1),
    ];
  });
}

function replySection(operation: OperationModel, { returns, paging, name }: Method): string {
  const { envelope, success, spec } = operation;
  const status = `Status ${success.status}.`;
  if (!envelope.payload) return `## Reply\n\n${status} The method resolves to ${code('undefined')}.`;
  const payload = resolve(spec.document, envelope.payload);
  const record = payload.items ? resolve(spec.document, payload.items) : payload;
  const type = (payload.items ?? envelope.payload).$ref?.split('/').at(-1);
  const whole = returns === 'list' || payload.items !== undefined;
  const [one, many] =
    type === undefined ? ['a value', 'values'] : [`${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${code(type)}`, code(type)];
  const pages = paging
    ? ` ${code(`await api.${name}(…)`)} returns the first page, ${code('for await')} all items. ${code(paging.limit)} sets the size of a page${paging.maximum === undefined ? '' : `, at most ${paging.maximum} items`}, and ${code(paging.offset)} where it begins. See [Lists](${guidePath('lists')}).`
    : '';
  const rows = replyRows(operation.spec.document, record);
  return blocks(
    '## Reply',
    `${status} The method resolves to ${whole ? `a list of ${many}` : one}.${pages}`,
    rows.length > 0 && folded(`Fields of ${type ?? 'the reply'}`, fieldTable(rows)),
  );
}

/** The fields of a record, including those of the records that it extends. */
function wholeRecord(
  document: SpecDocument,
  record: Schema,
): { properties: Record<string, Schema>; required: string[] } {
  const { properties = {}, required = [], allOf = [] } = record;
  const parts = allOf.map((part) => wholeRecord(document, resolve(document, part)));
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required), ...required],
  };
}

function replyRows(document: SpecDocument, record: Schema, above = '', depth = 0): string[][] {
  const { properties, required } = wholeRecord(document, record);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const resolved = {
      ...resolve(document, schema),
      ...(schema.description && { description: schema.description }),
    };
    const items = resolved.items && resolve(document, resolved.items);
    const whole = `${above}${name}`;
    const inner =
      depth < deepest ? replyRows(document, items ?? resolved, `${whole}${items ? '[]' : ''}.`, depth + 1) : [];
    return [
      [
        blocks(code(whole), required.includes(name) && 'always present'),
        typeText(schema.$ref && resolved.properties ? schema : resolved),
        blocks(resolved.description, enumText(resolved)),
      ],
      ...inner,
    ];
  });
}

function enumText({ 'x-enumDescriptions': meanings }: Schema): string {
  return meanings ? list(Object.entries(meanings).map(([value, meaning]) => `${code(value)}: ${meaning}`)) : '';
}

/** The first sample runs on the page. Other examples of the request and other languages are folded. */
function samplesSection(operation: OperationModel): string {
  const [first, ...others] = casesOf(operation);
  const [program, ...languages] = sampleLanguages;
  if (!first) return '';
  const samples = (language: (typeof sampleLanguages)[number], shown: typeof first): string =>
    codeBlock(language.write(shown.operation), language.highlight === 'bash' ? 'sh' : 'ts');
  return blocks(
    '## Sample',
    // All samples contain `console.log`, and the tables already contain the names in them.
    '<div data-pagefind-ignore>',
    `<run-sample>\n\n${samples(program, first)}\n\n</run-sample>`,
    ...others.map((shown) =>
      folded(exampleTitle(shown), `<run-sample>\n\n${samples(program, shown)}\n\n</run-sample>`),
    ),
    ...languages.map((language) =>
      // The language lets the next page open the same samples that the reader opened.
      folded(language.label, samples(language, first)).replace('<details>', `<details data-language="${language.id}">`),
    ),
    '</div>',
  );
}

function exampleTitle({ example = '', operation }: ReturnType<typeof casesOf>[number]): string {
  const [shown] = Object.values(operation.body?.examples ?? {});
  return `Another example: ${plainText(shown?.summary ?? example)}`;
}

function rulesSection({ rules }: Method): string {
  if (rules.length === 0) return '';
  return blocks('## Rules', list(rules.map(({ id, text }) => `${linkCodes(text.trim())} (${linkRule(id)})`)));
}

function errorsSection({ errors = {}, statuses = {} }: Method): string {
  const codes = Object.entries(errors).map(([number, { meaning, advice }]) => [
    link(`code ${number}`, codePath(number)),
    meaning.trim(),
    advice.trim(),
  ]);
  const documented = Object.entries(statuses).map(([status, meaning]) => [
    `status ${status}`,
    meaning.trim(),
    adviceOn(status),
  ]);
  const others = `Other failures are [not documented](${pagePaths.open}#errors). [Errors](${guidePath('errors')}) shows how to handle any of them.`;
  const rows = [...documented, ...codes];
  if (rows.length === 0)
    return `## Errors\n\nNo failure of this operation is documented. [Errors](${guidePath('errors')}) shows how to handle any of them.`;
  return blocks('## Errors', within('rows', table(['Failure', 'Meaning', 'What to do'], rows)), others);
}

const askTexts = {
  always: ' The commands ask a person first.',
  sometimes: ' The commands ask a person first, depending on the values and the number of people.',
  never: '',
} as const;

function effectSection(method: Method, byId: ReadonlyMap<string, OperationModel>): string {
  const { effect, undo, sendsIf = {} } = method;
  const values = Object.entries(sendsIf).map(([name, value]) => `${code(name)} ${value}`);
  const only = values.length > 0 ? `, if it is sent with ${values.join(' and ')}` : '';
  return blocks(
    '## Effect',
    `It ${effect === 'read' ? 'only reads' : effectTexts[effect]}${only}.${askTexts[whenAsked(method)]} ${undoText(undo, byId)}`.trim(),
  );
}

function undoText(undo: string | undefined, byId: ReadonlyMap<string, OperationModel>): string {
  if (undo === undefined) return '';
  if (undo === 'none') return `No documented request [undoes it](${pagePaths.absences}).`;
  if (undo === 'previous-value') return 'To undo it, send the values from before: read them first.';
  const operation = byId.get(undo);
  return operation
    ? `${link(operation.operation.summary, operationPath(operation))} undoes it.`
    : `${code(undo)} undoes it.`;
}

/** Folded, because most readers come for the facts. Lists what is not documented, and what the sandbox does. */
function openSection(operation: OperationModel, { reference, usedTypes }: OperationContext): string {
  const own = reference.openGroups.filter(({ id }) => id === operation.operationId);
  const groups = [...own, ...usedTypes(operation)];
  const count = groups.reduce((sum, { points }) => sum + points.length, 0);
  const choices = choicesOfOperation(operation.operationId);
  return blocks(
    count > 0 &&
      folded(
        `Not documented (${count})`,
        ...groups.map((group) =>
          blocks(group.id === operation.operationId ? '' : `**${group.title}**`, openPoints(group)),
        ),
        `${link('What is not documented', pagePaths.open)} lists all gaps.`,
      ),
    choices.length > 0 &&
      folded(
        `Choices of the sandbox (${choices.length})`,
        'If a behaviour is not documented, the sandbox makes a choice. These concern this operation and others of the same resource. The service may behave differently.',
        list(choices.map(choiceText)),
      ),
  );
}

function furtherSection(operation: OperationModel, { guides, reference }: OperationContext): string {
  const name = methodOf(operation);
  const source = operation.operation['x-source'];
  return blocks(
    '## See also',
    list([
      ...guidesFor(name, guides).map(({ title, name: guide }) => link(title, guidePath(guide))),
      `${link(`${reference.spec.document.info.title} in Redoc`, redocLink(operation))}, with all types`,
      `On a command line: ${code(`carillon ${name.replaceAll('.', ' ').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} --help`)}`,
    ]),
    source !== undefined &&
      folded(
        'Source',
        `${link(describeSource(source), pagePaths.documents)}. operationId: ${code(operation.operationId)}.`,
      ),
  );
}

/**
 * Guides that name the method. If there are none, guides that name a method of the same resource, or else the first
 * guide.
 */
function guidesFor(name: string, guides: readonly Guide[]): Guide[] {
  const resource = /^\w+\.\w+\./.exec(name)?.[0] ?? name;
  const own = guides.filter(({ methods }) => methods.has(name));
  const near = guides.filter(({ methods }) => [...methods].some((method) => method.startsWith(resource)));
  const first = guides.filter(({ name: guide }) => guide === 'first-call');
  return [own, near.slice(0, mostGuides), first].find((found) => found.length > 0) ?? [];
}

/** Maximum number of linked guides about other methods of a resource. */
const mostGuides = 3;
