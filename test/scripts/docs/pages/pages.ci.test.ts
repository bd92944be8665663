import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationPath, rulePath } from '../../../../scripts/docs/addresses.ts';
import { choicesOfGap, choicesOfOperation } from '../../../../scripts/docs/facts/choices-of.ts';
import { collectErrorCodes, collectStatuses } from '../../../../scripts/docs/facts/error-codes.ts';
import { readProductReference } from '../../../../scripts/docs/facts/product-reference.ts';
import { linkCodes } from '../../../../scripts/docs/markdown/fact-links.ts';
import { codeBlock, folded, table } from '../../../../scripts/docs/markdown/markdown.ts';
import { fileOf, renderMarkdown, renderPage } from '../../../../scripts/docs/markdown/page.ts';
import { benchmarksPage } from '../../../../scripts/docs/pages/benchmarks.ts';
import { listPages } from '../../../../scripts/docs/pages/list.ts';
import { commandSample } from '../../../../scripts/docs/pages/operation.ts';
import type { OperationModel } from '../../../../scripts/generate/model/operation-model.ts';
import { casesOf } from '../../../../scripts/samples/cases.ts';
import { sampleLanguages } from '../../../../scripts/samples/languages.ts';
import { repositoryRoot, specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec, resolve } from '../../../../scripts/spec/model.ts';
import { readNamedGaps } from '../../../../scripts/spec/named-gaps.ts';
import { listErrorCodes, listRules } from '../../../../scripts/spec/rules.ts';
import type { Schema } from '../../../../scripts/spec/schema.ts';
import { fieldsOf, findMethod } from '../../../../src/cli/catalogue/index.ts';
import { exampleLine } from '../../../../src/cli/command/method-help.ts';
import { choices } from '../../../../src/sandbox/rules/choices.ts';
import { results } from '../../../support/benchmark-results.ts';
import { shellWords } from '../../../support/terminal.ts';

const references = specNames.map((name) => readProductReference(loadSpec(name)));
const operations = references.flatMap((reference) => reference.operations);
const pages = listPages(references);
const bodies = new Map(pages.map(({ path, body }) => [path, body]));
const bodyOf = (path: string): string => bodies.get(path) ?? '';
const withoutCode = (text: string): string => text.replace(/^(`{3,})[\s\S]*?^\1|`[^`]*`/gm, '');
/** A table cell on one line. */
const flat = (text: string): string => text.trim().replace(/<br>|\s+/g, ' ');

describe('each page', () => {
  it('has its own address, title and description', () => {
    for (const key of ['path', 'title', 'description'] as const) {
      // Decisions share a description.
      const own = pages.filter(({ path }) => key !== 'description' || !/^\/project\/decisions\/\d/.test(path));
      expect(new Set(own.map((page) => page[key])).size, key).toBe(own.length);
    }
    for (const { title, description } of pages) expect([title, description]).not.toContain('');
  });

  it('is Markdown for readers without sources of pictures, custom elements and comments of the search', () => {
    for (const page of pages)
      expect(page.path + (/<(?:svg|img|run-sample|!-- )/.exec(withoutCode(renderMarkdown(page))) ?? '')).toBe(
        page.path,
      );
  });

  it('is a file whose front matter is valid YAML, even with special characters in the title', () => {
    const text = renderPage({ path: '/a/b/', title: 'A: "b" #c', description: '- d', body: 'e' }, undefined);
    expect(text).toBe(`---\ntitle: 'A: "b" #c'\ndescription: "- d"\neditUrl: false\n---\n\ne\n`);
    expect(fileOf({ path: '/a/b/', title: '', description: '', body: '' })).toBe('a/b.md');
  });
});

const llmsFull = flat(readFileSync(join(repositoryRoot, 'generated', 'llms-full.txt'), 'utf8'));

interface Fact {
  name: string;
  meaning?: string;
}

/** The fields and values of an operation's request and response, at any depth. */
function usedFacts({
  spec: { openapi },
  parameters,
  body,
  envelope,
}: OperationModel): Record<'request' | 'response', Fact[]> {
  const seen = new Set<Schema>();
  const factsOf = (given: Schema | undefined): Fact[] => {
    const schema = given && resolve(openapi, given);
    if (!schema || seen.has(schema)) return [];
    seen.add(schema);
    const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties: entries } = schema;
    const inner = [items, ...anyOf, ...oneOf, ...allOf, typeof entries === 'object' ? entries : undefined];
    return [
      ...Object.entries(schema['x-enumDescriptions'] ?? {}).map(([name, meaning]) => ({ name, meaning })),
      ...Object.keys(properties).map((name) => ({ name })),
      ...[...Object.values(properties), ...inner].flatMap(factsOf),
    ];
  };
  return {
    request: [...parameters.map(({ schema }) => schema), body?.schema].flatMap(factsOf),
    response: factsOf(envelope.payload),
  };
}

describe.each(operations.map((operation) => [operationPath(operation), operation] as const))(
  '%s',
  (path, operation) => {
    const body = bodyOf(path);
    const flatBody = flat(body);
    const method = findMethod(`${operation.spec.name}.${operation.place}`);
    if (!method) throw new Error(`There is no method ${operation.place}`);

    it('describes every parameter, rule, documented failure and gap', () => {
      for (const { name } of fieldsOf(method)) expect(body).toContain(`\n- \`${name}\``);
      for (const { id } of method.rules) expect(body).toContain(`](${rulePath(id)})`);
      for (const code of Object.keys(method.errors ?? {})) expect(body).toContain(`/reference/errors/#${code}`);
      for (const status of Object.keys(method.statuses ?? {})) expect(body).toContain(`status ${status}`);
      const own = references.flatMap(({ gapGroups }) => gapGroups).filter(({ id }) => id === operation.operationId);
      for (const { gaps } of own) for (const { text } of gaps) expect(flatBody).toContain(flat(text));
      for (const [id, text] of choicesOfOperation(operation.operationId))
        expect(flatBody).toContain(flat(`${text} (\`${id}\`)`));
    });

    it('has each field at any depth, and the meaning of each value of an enum, here and in llms-full.txt', () => {
      const { request, response } = usedFacts(operation);
      const isShown = ({ name, meaning = '' }: Fact): boolean =>
        flatBody.includes(`\`${name || "''"}\``) && flatBody.includes(flat(meaning));
      // llms-full.txt names the types of records in responses, and lists a value without a documented meaning by itself.
      const isForPrograms = ({ name, meaning }: Fact): boolean =>
        meaning === undefined ||
        llmsFull.includes(`${name}: ${flat(meaning).replace(/\.$/, '')}`) ||
        (meaning.includes('not documented') && llmsFull.includes(`, ${name}`));
      const facts = [...request, ...response];
      expect({
        page: facts.filter((fact) => !isShown(fact)),
        llmsFull: facts.filter((fact) => !isForPrograms(fact)),
      }).toEqual({ page: [], llmsFull: [] });
    });

    it('links at most five pages to see also', () => {
      const [, also = ''] = body.split('## See also');
      const links = also.split('<')[0]?.match(/^- /gm) ?? [];
      expect(links.length).toBeGreaterThan(0);
      expect(links.length).toBeLessThanOrEqual(5);
    });

    it('shows a sample of each example in each language, and as a command, as the tests run it', () => {
      for (const shown of casesOf(operation)) expect(body).toContain(sampleLanguages[0].write(shown.operation).trim());
      const [first] = casesOf(operation);
      for (const { write } of sampleLanguages) expect(body).toContain(write(first?.operation ?? operation).trim());
      // test/cli runs the example of the help.
      const [command, ...words] = shellWords(exampleLine(method));
      const [, shown = ''] = commandSample(method).split(/(?<=^#.*)\n/);
      expect(body).toContain(commandSample(method).trim());
      // Without days, as the other samples.
      const kept = words.filter(
        (word, at) => ![word, words[at + 1]].some((one = '') => /^20\d\d-/.test(one) && method.body === undefined),
      );
      expect(shellWords(shown)).toEqual([command, '--sandbox', ...kept]);
    });
  },
);

it.each([
  ['/messaging/push/campaigns/create/', '`filter_region` · list of string'],
  ['/messaging/push/campaigns/create/', '`filter_url` · PushUrlFilter'],
  ['/email/messages/send/', '`attachments_binary` · map of name to bytes'],
])('%s has the type that its method takes, which the client encodes: %s', (path, field) => {
  expect(bodyOf(path)).toContain(`\n- ${field}`);
});

it('the page of error codes has each documented code with its meaning, rule, operations and advice', () => {
  const body = bodyOf('/reference/errors/');
  const codes = collectErrorCodes(references);
  expect(codes.map(({ code }) => code)).toEqual(references.flatMap(({ spec }) => listErrorCodes(spec)).toSorted());
  for (const { code, rule, operations: failing, advice } of codes) {
    const [, section = ''] = body.split(`## ${code}\n`);
    const [own = ''] = section.split('\n## ');
    expect(flat(own)).toContain(flat(advice));
    expect(own).toContain(rulePath(rule.id));
    for (const operation of failing) expect(own).toContain(operationPath(operation));
  }
  expect([...collectStatuses(references).keys()]).toEqual(['404', '422']);
  expect(body).toContain('### 404\n\n`NotFoundError`');
  expect(body).toContain('### 422\n\n`UnprocessableEntityError`');
});

it('the page of rules has every rule and choice of the sandbox under its id', () => {
  const body = bodyOf('/reference/rules/');
  const ids = [...references.flatMap(({ spec }) => listRules(spec).map(({ id }) => id)), ...Object.keys(choices)];
  for (const id of ids) expect(body).toContain(`\n### ${id}\n`);
});

it("the page of gaps has every gap, and the sandbox's choices beside each named one", () => {
  const body = bodyOf('/reference/not-documented/');
  const flatBody = flat(body);
  for (const { gaps } of references.flatMap(({ gapGroups }) => gapGroups))
    for (const { text } of gaps) expect(flatBody).toContain(flat(text));
  for (const { id, title } of readNamedGaps()) {
    expect(body).toContain(`### ${title}\n`);
    expect(body).toContain(`<a id="${id}"></a>`);
    for (const [choice] of choicesOfGap(id)) expect(body).toContain(`](${rulePath(choice)})`);
  }
});

it('the build fails if a gap has no choices of the sandbox', () => {
  expect(() => choicesOfGap('new-gap')).toThrow('name the choices of the sandbox about the gap new-gap');
});

it('a code in a text links to its place on the page of error codes', () => {
  expect(linkCodes('It is rejected with code 3086 (not 3087).')).toBe(
    'It is rejected with [code 3086](/reference/errors/#3086) (not 3087).',
  );
});

describe('the page of benchmarks', () => {
  const { body } = benchmarksPage(results);

  it('shows each part with its tables, and the reasons for leaving out subjects', () => {
    for (const { title, tables } of Object.values(results)) {
      expect(body).toContain(`## ${title}\n`);
      for (const one of tables) expect(body).toContain(`### ${one.title}\n`);
    }
    expect(body).toContain('left out: is no client');
  });

  it('has each chart inline, with a text alternative', () => {
    const charts = [...body.matchAll(/!\[(Chart: [^\]]+)\]\(data:image\/svg\+xml,([^)]+)\)/g)];
    expect(charts.map(([, text]) => text)).toEqual(['Chart: A response of 300 bytes, one at a time']);
    expect(decodeURIComponent(charts[0]?.[2] ?? '')).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it('names the command that creates missing results', () => {
    expect(() => benchmarksPage({})).toThrow(/results\.json.*npm run bench/);
  });
});

describe('Markdown', () => {
  it('keeps a cell on one line, and escapes its bars', () => {
    expect(table(['A'], [['one | two\n\nthree\n- four']])).toBe('| A |\n| --- |\n| one \\| two<br>three<br>- four |');
  });

  it('has a fence longer than any in the code', () => {
    expect(codeBlock('```\nx\n```', 'md')).toBe('````md\n```\nx\n```\n````');
  });

  it('escapes the summary of a folded block, which is HTML', () => {
    expect(folded('a < b', 'text')).toBe('<details>\n<summary>a &lt; b</summary>\n\ntext\n\n</details>');
  });
});
