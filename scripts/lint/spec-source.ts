import { readFile } from 'node:fs/promises';
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { displayPath, type Finding } from './finding.ts';

export type Path = (string | number)[];

/** A spec as text and as a tree with the position of every node. */
export interface SpecSource {
  file: string;
  text: string;
  tree: Document;
  lines: LineCounter;
  /** Problems that prevent the file from being parsed as YAML. */
  findings: Finding[];
}

export async function readSpecSource(file: string): Promise<SpecSource> {
  return parseSpecSource(file, await readFile(file, 'utf8'));
}

export function parseSpecSource(file: string, text: string): SpecSource {
  const lines = new LineCounter();
  const tree = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // Report only the first error, because later ones are often consequences.
  const [error = tree.warnings[0]] = tree.errors;
  const found = error ? [{ offset: error.pos[0], message: error.message }] : unusable(tree);
  const findings = found.map(({ offset, message }) => ({
    file: displayPath(file),
    ...position(lines, offset),
    rule: 'yaml',
    message: message.replace(/\s+/g, ' '),
  }));
  return { file, text, tree, lines, findings };
}

/** A finding at the position of a path, or of its key if it has one. A missing node is reported at its parent. */
export function findingAt(source: SpecSource, path: Path, rule: string, message: string): Finding {
  let offset: number | undefined;
  for (let length = path.length; length > 0 && offset === undefined; length -= 1) {
    offset = keyOf(source.tree, path.slice(0, length))?.range?.[0];
  }
  return { file: displayPath(source.file), ...position(source.lines, offset ?? 0), rule, message };
}

/** Problems of files that are valid YAML but not a spec, or that libraries read differently, such as null keys. */
function unusable(tree: Document): { offset: number; message: string }[] {
  if (!isMap(tree.contents))
    return [{ offset: 0, message: 'The file is empty, or not a map of keys: it is not an OpenAPI spec' }];
  const found: { offset: number; message: string }[] = [];
  visit(tree, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === null) {
        found.push({ offset: key.range?.[0] ?? 0, message: "A key is null: put it in quotes, 'null'" });
      }
      if (isScalar(key) && key.value === '<<') {
        found.push({
          offset: key.range?.[0] ?? 0,
          message: 'A key is <<: only some libraries merge the keys of its value, so write these keys directly',
        });
      }
      // Libraries drop such a key, or fail with an unrelated error.
      if (isScalar(key) && key.value === '__proto__') {
        found.push({ offset: key.range?.[0] ?? 0, message: 'A key is __proto__, which JavaScript reserves' });
      }
    },
  });
  return found;
}

function keyOf(tree: Document, path: Path): Node | undefined {
  const parent = tree.getIn(path.slice(0, -1), true);
  const pair =
    isMap(parent) && parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)));
  if (isPair(pair) && isNode(pair.key)) return pair.key;
  const node = tree.getIn(path, true);
  return isNode(node) ? node : undefined;
}

/** Line and column of an offset, both from 1. */
export function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
