import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { pascalCase } from '../../scripts/generate/names.ts';
import { repositoryRoot, type SpecName, specNames } from '../../scripts/spec/files.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const { exports, typesVersions } = JSON.parse(read('src/client/package.json'));

describe.each(specNames)('the product %s', (name) => {
  const type = pascalCase(name);

  test('has its own entry of the client, with its types and a function that creates a client', () => {
    expect(
      missing({
        [`src/client/${name}.ts`]: [`export function create${type}Client(`],
        [`src/client/parts/${name}.ts`]: [`'../../../generated/${name}/models.ts'`],
        'src/client/index.ts': [
          // Without it, programs cannot add their own fields to the records.
          `export type { ${type}Client } from './${name}.ts'`,
          `export * as ${type} from './parts/${name}.ts'`,
        ],
        'src/client/paths.ts': [
          `export type {} from './${name}.ts'`,
          `export type * as ${type} from './parts/${name}.ts'`,
        ],
      }),
    ).toEqual([]);
    expect(exports).toHaveProperty([`./${name}`]);
    expect(typesVersions['*']).toHaveProperty([name]);
  });

  test('has a table of coverage, and its rows in the pages that list the products', () => {
    expect(
      missing({
        [`spec/coverage/${name}.md`]: ['| Document |'],
        'spec/README.md': [`| \`${name}.yaml\` |`],
        'src/client/README.md': [`\`carillon/${name}\``],
        'docs/guides/options.md': [`| \`carillon/${name}\` | \`create${type}Client\` |`],
        'docs/guides/options-reference.md': [`| \`carillon/${name}\` |`],
      }),
    ).toEqual([]);
  });
});

/** The texts that files lack, with their file. */
function missing(texts: Record<string, string[]>): string[] {
  return Object.entries(texts).flatMap(([file, lines]) => {
    const text = existsSync(join(repositoryRoot, file)) ? read(file) : '';
    return lines.filter((line) => !text.includes(line)).map((line) => `${file} needs: ${line}`);
  });
}

test('a text that counts the specs or their documents has their number', () => {
  const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const counting = new RegExp(
    `\\b(?:(?:all|the|from|into|by) (${numbers.join('|')}) (?:specs|documents|OpenAPI files)|(${numbers.slice(2).join('|')}) (?:documents|OpenAPI files))\\b`,
    'gi',
  );
  const files = globSync(['*.md', 'package.json', 'spec/README.md', '{docs,src,scripts}/**/*.{md,ts,svg,json}'], {
    cwd: repositoryRoot,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|public|content)(?:\/|$)/.test(String(path)),
  }).filter((file) => !/^(?:CHANGELOG\.md|docs\/decisions\/)/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.flatMap((file) =>
    [...read(file).matchAll(counting)]
      .filter(([, one, other]) => (one ?? other)?.toLowerCase() !== numbers[specNames.length - 1])
      .map(([text]) => `${file}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

/** Names of all products in one list, which a further product would miss without a word. */
interface ProductList {
  file: string;
  line: number;
  text: string;
}

const forcing = /\b(?:Product|SpecName|SandboxState)\b/;

/** Lists of products by hand: array literals, objects, unions of types and spreads that name each of them. */
function listsIn(file: string, source: string): ProductList[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: ProductList[] = [];
  const visit = (node: ts.Node): void => {
    const members = membersOf(node);
    if (members && namesAll(members) && !isForced(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      found.push({ file, line: line + 1, text: node.getText(tree).replace(/\s+/g, ' ').slice(0, 80) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The members of a list, as text. */
function membersOf(node: ts.Node): string[] | undefined {
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => element.getText());
  if (ts.isObjectLiteralExpression(node))
    return node.properties.map((property) =>
      ts.isSpreadAssignment(property) ? property.getText() : (property.name?.getText() ?? ''),
    );
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.map((type) => type.getText());
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    return node.members.map((member) => member.name?.getText() ?? '');
  return undefined;
}

function namesAll(members: readonly string[]): boolean {
  const isNamed = (name: SpecName, member: string): boolean =>
    new RegExp(`^(?:\\.\\.\\.|['"\`])?(?:${name}|${pascalCase(name)})(?![a-z .])`).test(member);
  return specNames.every((name) => members.some((member) => isNamed(name, member)));
}

/** Whether the compiler compares the list with the products: its declaration names their type. */
function isForced(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isVariableDeclaration(at) && at.type && forcing.test(at.type.getText())) return true;
    if (ts.isSatisfiesExpression(at) && forcing.test(at.type.getText())) return true;
    if (ts.isInterfaceDeclaration(at) && at.heritageClauses?.some((clause) => forcing.test(clause.getText())))
      return true;
    if (ts.isFunctionDeclaration(at) && at.type && forcing.test(at.type.getText())) return true;
  }
  return false;
}

/** The list itself, and snapshots with records of these products. */
const allowed = ['scripts/spec/files.ts', 'test/sandbox/model/world.ts', 'test/sandbox/data/fixtures.test.ts'];

test('no code lists the products by hand, unless the compiler compares the list', () => {
  const files = globSync('{src,scripts,docs,test}/**/*.{ts,tsx}', {
    cwd: repositoryRoot,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|releases|projects)(?:\/|$)/.test(String(path)),
  });
  expect(files.length).toBeGreaterThan(500);
  const lists = files.filter((file) => !allowed.includes(file)).flatMap((file) => listsIn(file, read(file)));
  expect(lists).toEqual([]);
});

test('a list of products is found in each of its forms', () => {
  const parts = specNames.map((name) => [name, pascalCase(name)] as const);
  const each = (write: (name: string, typeName: string) => string, separator = ', '): string =>
    parts.map(([name, typeName]) => write(name, typeName)).join(separator);
  const forms = [
    `const names = [${each((name) => `'${name}'`)}];`,
    `const all = [${each((name) => `${name}Replies`)}];`,
    `const all = { ${each((name) => `...${name}Rules`)} };`,
    `const all = { ${each((name) => `${name}: 1`)} };`,
    `type Name = ${each((name) => `'${name}'`, ' | ')};`,
    `type Id = ${each((_, typeName) => `${typeName}OperationId`, ' | ')};`,
    `interface Parts { ${each((name) => `${name}: object`, '; ')} }`,
  ];
  expect(forms.filter((form) => listsIn('a.ts', form).length === 0)).toEqual([]);
  const forced = [
    `const all: Record<Product, number> = { ${each((name) => `${name}: 1`)} };`,
    "const two = ['crm', 'email'];",
  ];
  expect(forced.flatMap((form) => listsIn('a.ts', form))).toEqual([]);
});
