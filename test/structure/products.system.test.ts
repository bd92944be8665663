import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { pascalCase } from '../../scripts/generate/names.ts';
import { repositoryRoot, type SpecName, specNames } from '../../scripts/spec/files.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const { exports, typesVersions } = JSON.parse(read('src/client/package.json'));

describe.each(specNames)('the product %s', (name) => {
  test('has its own entry of the client, with its types and a function that creates a client', () => {
    expect(
      [`src/client/${name}.ts`, `src/client/parts/${name}.ts`].filter(
        (file) => !existsSync(join(repositoryRoot, file)),
      ),
    ).toEqual([]);
    expect(read(`src/client/${name}.ts`)).toContain(`export function create${pascalCase(name)}Client(`);
    expect(read(`src/client/parts/${name}.ts`)).toContain(`'../../../generated/${name}/models.ts'`);
    expect(read('src/client/index.ts')).toContain(`export * as ${pascalCase(name)} from './parts/${name}.ts'`);
    expect(read('src/client/paths.ts')).toContain(`export type * as ${pascalCase(name)} from './parts/${name}.ts'`);
    expect(exports).toHaveProperty([`./${name}`]);
    expect(typesVersions['*']).toHaveProperty([name]);
  });

  test('has a table of coverage, and a row in spec/README.md and in the README of the client', () => {
    expect(existsSync(join(repositoryRoot, 'spec', 'coverage', `${name}.md`))).toBe(true);
    expect(read('spec/README.md')).toContain(`| \`${name}.yaml\` |`);
    expect(read('src/client/README.md')).toContain(`\`carillon/${name}\``);
  });
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
