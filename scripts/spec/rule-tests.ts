import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './files.ts';

const testFunctions = new Set(['test', 'it', 'describe']);
/** A rule or a choice, `[deal-active-by-default]`, or an error code, `[3093]`; not the place in a list, `items[0]`. */
const bracketed = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]|(?<!\S)\[(\d+)\]/g;

/** The test files that name an id or an error code in the title of a test, by that id; files as the repository names them. */
export function findNamedTests(folder: string = join(repositoryRoot, 'test')): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const file = join(folder, name);
    const shown = relative(repositoryRoot, file).split(sep).join('/');
    for (const id of namedIds(readFileSync(file, 'utf8'))) found.set(id, [...(found.get(id) ?? []), shown]);
  }
  return found;
}

/** The ids and error codes that the titles of the tests in a source text name in brackets. */
export function namedIds(source: string): Set<string> {
  const ids = new Set<string>();
  // Most files name none, and need no parsing.
  if (source.search(bracketed) === -1) return ids;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title))
        for (const [, id, code = ''] of title.text.matchAll(bracketed)) ids.add(id ?? code);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return ids;
}

/** `test`, `test.each(…)`, `describe.skipIf(…)`; not a test that is skipped or still to be written. */
function isTestFunction(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return testFunctions.has(node.text);
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    return isTestFunction(ts.isCallExpression(node) ? node.expression : node.tag);
  }
  return ts.isPropertyAccessExpression(node) && !['skip', 'todo'].includes(node.name.text)
    ? isTestFunction(node.expression)
    : false;
}
