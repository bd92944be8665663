import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './files.ts';

const testFunctions = new Set(['test', 'it', 'describe']);
/** A rule or choice (`[deal-active-by-default]`) or an error code (`[3093]`), but not a list index (`items[0]`). */
const bracketed = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]|(?<!\S)\[(\d+)\]/g;

/** Test files by the ids and error codes in their test titles. Paths are relative to the repository. */
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

/** Ids and error codes in brackets in the test titles of a source file. */
export function namedIds(source: string): Set<string> {
  const ids = new Set<string>();
  // Skip parsing for most files, which contain no ids.
  if (source.search(bracketed) === -1) return ids;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) for (const id of idsIn(title.text)) ids.add(id);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return ids;
}

/** The ids and error codes in brackets in a test title. */
function idsIn(title: string): string[] {
  return [...title.matchAll(bracketed)].map(([, id, code = '']) => id ?? code);
}

/** Whether it is `test`, `test.each(…)`, `describe.skipIf(…)` and so on, except a skipped test or a todo. */
function isTestFunction(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return testFunctions.has(node.text);
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    return isTestFunction(ts.isCallExpression(node) ? node.expression : node.tag);
  }
  return ts.isPropertyAccessExpression(node) && !['skip', 'todo'].includes(node.name.text)
    ? isTestFunction(node.expression)
    : false;
}
