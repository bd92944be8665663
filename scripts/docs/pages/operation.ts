import { fieldsOf, findMethod, type Method, takesOtherFields } from '../../../src/cli/catalogue/index.ts';
import { whenAsked } from '../../../src/cli/catalogue/needs-consent.ts';
import { effectTexts, quotaText } from '../../../src/cli/catalogue/type-text.ts';
import { exampleLine } from '../../../src/cli/command/method-help.ts';
import type { Encoding } from '../../../src/shared/operation.ts';
import type { OperationModel } from '../../generate/model/operation-model.ts';
import { casesOf, isDate, type SampleCase } from '../../samples/cases.ts';
import { sampleLanguages } from '../../samples/languages.ts';
import { methodSample } from '../../samples/typescript.ts';
import { resolve } from '../../spec/model.ts';
import { flatFields } from '../../spec/parameters.ts';
import type { Schema } from '../../spec/schema.ts';
import { describeSource } from '../../spec/source.ts';
import { codePath, guidePath, methodOf, operationPath, pagePaths, redocLink } from '../addresses.ts';
import { choicesOfOperation } from '../facts/choices-of.ts';
import { peopleText, testModeText } from '../facts/describe-extensions.ts';
import { failureSamples } from '../facts/failures.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import type { Guide } from '../guides/read-guides.ts';
import { linkCodes, linkRule } from '../markdown/fact-links.ts';
import { fieldList, recordFields, type ShownField } from '../markdown/fields.ts';
import {
  blocks,
  code,
  codeBlock,
  firstSentence,
  folded,
  link,
  list,
  plainText,
  searchWords,
  table,
  tabs,
  unsearched,
  within,
} from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';
import { adviceOn } from './errors.ts';
import { gapList } from './not-documented.ts';

interface OperationContext {
  reference: ProductReference;
  guides: readonly Guide[];
  /** All operations by id, for links to the operation that undoes another. */
  byId: ReadonlyMap<string, OperationModel>;
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
    '<p class="to-sample"><a href="#sample">Sample and response</a></p>',
    parametersSection(operation, method),
    codeColumn(operation, method),
    details.length > 0 && blocks('## Details', linkCodes(details.join('\n\n'))),
    responseSection(operation, method),
    rulesSection(method),
    errorsSection(method),
    quota && `## Quota\n\n${quotaText(quota)}.`,
    effectSection(method, context.byId),
    gapsSection(operation, context),
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
      tableOfContents: false,
      // The menu has them.
      prev: false,
      next: false,
      // Room for the column of code. As a selector, `:has` on the root, it would take seconds on the longest pages.
      head: [{ tag: 'style', content: '@media (min-width: 72rem) { body { --sl-content-width: 78rem; } }' }],
      operation: { verb: operation.method, path, method: name, id: operation.operationId, effect },
    },
    searchWords: namesOf(operation).join(' '),
  };
}

/** Names that readers type: the operationId, each trailing part of the method's name, the request, and names in the path. */
function namesOf(operation: OperationModel): string[] {
  const { operationId, method, base, path } = operation;
  const parts = `api.${methodOf(operation)}`.split('.');
  const names = [operationId, ...parts.map((_, at) => parts.slice(at).join('.'))];
  const paths = [`${method} ${base}${path}`, path, ...path.split('/').filter((part) => /[-_]/.test(part))];
  return [...names, ...paths.map((text) => text.replaceAll(/[{}]/g, ''))];
}

function methodNamed(name: string): Method {
  const method = findMethod(name);
  if (!method) throw new Error(`The catalogue has no method ${name}: run npm run generate`);
  return method;
}

function parametersSection(operation: OperationModel, method: Method): string {
  const fields = shownParameters(operation, method);
  const open = takesOtherFields(method);
  const others = {
    open: `The fields of this body are [not documented](${pagePaths.gaps}). The client sends any field.`,
    own: `The body also takes [your own fields](${guidePath('own-fields')}).`,
  };
  if (fields.length === 0 && open === undefined) return '## Parameters\n\nNone.';
  return blocks(
    '## Parameters',
    searchWords(['limit', 'maximum length']),
    fields.length > 0 && fieldList(operation.spec.openapi, fields),
    open && others[open],
  );
}

/** Required parameters first. The spec has their schemas; the catalogue has the fields that an open body is paged by. */
function shownParameters(operation: OperationModel, method: Method): ShownField[] {
  const schemas = new Map(flatFields(operation).map(({ name, schema }) => [name, schema]));
  const fields = fieldsOf(method).map(({ name, in: place, required, encoding, schema }) => ({
    name,
    schema: taken(schemas.get(name) ?? { type: 'integer', description: schema.description ?? '' }, encoding),
    type: encoding && takenTypes[encoding],
    marks: [required && '**required**', place !== 'body' && place, schema.deprecated && 'deprecated'],
    ...(encoding && { description: schema.description }),
    required,
  }));
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

/** Types of bytes that the client encodes as a string. */
const takenTypes: Partial<Record<Encoding, string>> = { base64: 'bytes', base64Map: 'map of name to bytes' };

/** The schema of what a method takes, which is inside that of the wire for a JSON string. */
function taken(schema: Schema, encoding: Encoding | undefined): Schema {
  return (encoding === 'json' && schema.contentSchema) || schema;
}

function responseSection(operation: OperationModel, { returns, paging, name }: Method): string {
  const { envelope, success, spec } = operation;
  const status = `Status ${success.status}.`;
  if (!envelope.payload) return `## Response\n\n${status} The method resolves to ${code('undefined')}.`;
  const payload = resolve(spec.openapi, envelope.payload);
  const record = payload.items ? resolve(spec.openapi, payload.items) : payload;
  const type = (payload.items ?? envelope.payload).$ref?.split('/').at(-1);
  const whole = returns === 'list' || payload.items !== undefined;
  const [one, many] =
    type === undefined ? ['a value', 'values'] : [`${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${code(type)}`, code(type)];
  const pages = paging
    ? ` ${code(`await api.${name}(…)`)} returns the first page, ${code('for await')} all items. ${code(paging.limit)} sets the size of a page${paging.maximum === undefined ? '' : `, at most ${paging.maximum} items`}, and ${code(paging.offset)} where it begins. See [Lists](${guidePath('lists')}).`
    : '';
  const fields = recordFields(spec.openapi, record).map(({ name: field, schema, required }) => ({
    name: field,
    schema,
    marks: [required && 'always present'],
  }));
  return blocks(
    '## Response',
    `${status} The method resolves to ${whole ? `a list of ${many}` : one}.${pages}`,
    fields.length > 0 && fieldList(spec.openapi, fields),
  );
}

/**
 * The column of code: the first example of the request in each language, the other examples, and the documented response. Without
 * room for a column, it follows the parameters.
 */
function codeColumn(operation: OperationModel, method: Method): string {
  const [first, ...others] = casesOf(operation);
  if (!first) return '';
  return blocks(
    '<div class="code-column" id="sample">\n<div class="code-column-inner">',
    // All samples contain `console.log`, and the lists of fields already contain the names in them.
    unsearched(
      blocks(
        `**${exampleTitle(first) ?? 'Sample'}**`,
        languageTabs(first, method),
        exampleResponse(operation),
        ...others.map((shown) =>
          folded(exampleTitle(shown) ?? 'Another example', runnable(methodSample(shown.operation))),
        ),
        failures(operation, method),
      ),
    ),
    '</div>\n</div>',
  );
}

/** One sample in each language, and as a command. Only the first runs on the page. */
function languageTabs({ operation }: SampleCase, method: Method): string {
  return tabs('language', [
    ...sampleLanguages.map(({ id, label, highlight, write }, index) => {
      const text = write(operation);
      return { id, label, content: index === 0 ? runnable(text) : sample(text, highlight === 'bash' ? 'sh' : 'ts') };
    }),
    { id: 'command', label: 'Command', content: sample(commandSample(method), 'sh') },
  ]);
}

/** The example as a command, one option on each line. */
export function commandSample(method: Method): string {
  const left = fieldsOf(method).filter(
    ({ name, in: place, required }) => place === 'query' && !required && isDate(method.example[name]),
  );
  const example = Object.fromEntries(
    Object.entries(method.example).filter(([name]) => !left.some((field) => field.name === name)),
  );
  const command = exampleLine({ ...method, example }).replace('carillon', 'carillon --sandbox');
  return `# Without --sandbox, it calls the service\n${command.replaceAll(/ (?=--(?!sandbox\b)[a-z-]+(?: |$))/g, ' \\\n  ')}\n`;
}

function runnable(program: string): string {
  return `<run-sample>\n\n${sample(program, 'ts')}\n\n</run-sample>`;
}

function sample(text: string, language: 'sh' | 'ts'): string {
  // Readers want the call. Imports, the client and the blank line after it are folded.
  const before = text.split('\n').findIndex((line) => line.startsWith('});')) + 2;
  return codeBlock(text, language === 'sh' ? 'sh' : `ts collapse={1-${before}}`);
}

/** Programs that fail in the sandbox with a documented failure. */
function failures(operation: OperationModel, { errors = {}, statuses = {} }: Method): string {
  const samples = [...failureSamples(operation)].map(([failure, program]) => {
    const meaning = errors[failure]?.meaning ?? statuses[failure] ?? '';
    return folded(`${failure}: ${plainText(meaning)}`, runnable(program));
  });
  return samples.length === 0 ? '' : blocks('**Failures**', 'Run one to see how the sandbox rejects it.', ...samples);
}

function exampleTitle({ example, operation }: SampleCase): string | undefined {
  const [shown] = Object.values(operation.body?.examples ?? {});
  const title = shown?.summary ?? example;
  return title && plainText(title);
}

/** The documented response with its envelope. */
function exampleResponse({ success }: OperationModel): string {
  const [example] = Object.values(success.examples);
  if (!example) return `**Response: ${success.status}**, without a body`;
  return blocks(`**Response: ${success.status}**`, codeBlock(JSON.stringify(example.value, null, 2), 'json'));
}

function rulesSection({ rules }: Method): string {
  if (rules.length === 0) return '';
  return blocks('## Rules', list(rules.map(({ id, text }) => `${text.trim()} (${linkRule(id)})`)));
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
  const rows = [...documented, ...codes];
  return blocks(
    '## Errors',
    rows.length > 0 && within('rows', table(['Failure', 'Meaning', 'What to do'], rows)),
    `${rows.length > 0 ? 'Other failures are not documented.' : 'No failure of this operation is documented.'} [Errors](${guidePath('errors')}) shows how to handle any of them.`,
  );
}

const askTexts = {
  always: ' The commands ask a person first.',
  sometimes: ' The commands ask a person first, depending on the values and the number of people.',
  never: '',
} as const;

function effectSection(method: Method, byId: ReadonlyMap<string, OperationModel>): string {
  const { effect, undo, people, sendsIf = {}, testMode } = method;
  const values = Object.entries(sendsIf).map(([name, value]) => `${code(name)} ${value}`);
  const only = values.length > 0 ? `, if it is sent with ${values.join(' and ')}` : '';
  return blocks(
    '## Effect',
    `It ${effect === 'read' ? 'only reads' : effectTexts[effect]}${only}.${askTexts[whenAsked(method)]} ${undoText(undo, byId)}`.trim(),
    people && peopleText(people),
    testMode && testModeText(testMode),
  );
}

function undoText(undo: string | undefined, byId: ReadonlyMap<string, OperationModel>): string {
  if (undo === undefined) return '';
  if (undo === 'none') return `No documented request [undoes it](${pagePaths.unsupported}).`;
  if (undo === 'previous-value') return 'To undo it, send the values from before: read them first.';
  const operation = byId.get(undo);
  return operation
    ? `${link(operation.operation.summary, operationPath(operation))} undoes it.`
    : `${code(undo)} undoes it.`;
}

/** Folded, because most readers come for the facts. Lists what is not documented, and what the sandbox does. */
function gapsSection(operation: OperationModel, { reference }: OperationContext): string {
  const own = reference.gapGroups.filter(({ id }) => id === operation.operationId);
  const groups = [...own, ...reference.gapsOfTypes(operation)];
  const count = groups.reduce((sum, { gaps }) => sum + gaps.length, 0);
  const choices = choicesOfOperation(operation.operationId);
  return blocks(
    count > 0 &&
      folded(
        `Not documented (${count})`,
        ...groups.map((group) =>
          blocks(group.id === operation.operationId ? '' : `**${group.title}**`, gapList(group)),
        ),
      ),
    // The search finds them on the page of rules, which says no more about them, so they have no links.
    choices.length > 0 &&
      unsearched(
        folded(
          `Choices of the sandbox (${choices.length})`,
          'If a behaviour is not documented, the sandbox makes a choice. These concern this operation and others of the same resource. The service may behave differently.',
          list(choices.map(([id, text]) => `${text} (${code(id)})`)),
        ),
      ),
  );
}

function furtherSection(operation: OperationModel, { guides, reference }: OperationContext): string {
  const name = methodOf(operation);
  const source = operation.operation['x-source'];
  return blocks(
    unsearched(
      blocks(
        '## See also',
        list([
          ...guidesFor(name, guides).map(({ title, name: guide }) => link(title, guidePath(guide))),
          `${link(`${reference.spec.openapi.info.title} in Redoc`, redocLink(operation))}, with all types`,
        ]),
      ),
    ),
    source !== undefined &&
      folded('Source and operationId', `${describeSource(source)}. operationId: ${code(operation.operationId)}.`),
  );
}

/**
 * At most two guides that name the method, first the one that is mostly about its resource. If there are none, guides that name
 * a method of the same resource, or else the first guide.
 */
function guidesFor(name: string, guides: readonly Guide[]): Guide[] {
  const resource = /^\w+\.\w+\./.exec(name)?.[0] ?? name;
  const weight = ({ methods }: Guide): number =>
    [...methods].filter((method) => method.startsWith(resource)).length ** 2 / Math.max(methods.size, 1);
  // Each page links to the guide about errors anyway.
  const near = guides.filter((guide) => weight(guide) > 0 && guide.name !== 'errors');
  const own = near.filter(({ methods }) => methods.has(name));
  const first = guides.filter(({ name: guide }) => guide === 'first-call');
  const found = [own, near, first].find(({ length }) => length > 0) ?? [];
  const [best, ...others] = found.toSorted((one, other) => weight(other) - weight(one));
  const next = others.find((guide) => best && weight(guide) > weight(best) / 4);
  return [best, next].filter((guide) => guide !== undefined);
}
