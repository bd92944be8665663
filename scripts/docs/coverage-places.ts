import type { SpecName } from '../spec/files.ts';
import { listOperations, type SpecOperation } from '../spec/model.ts';
import { findUses, pointerOf } from '../spec/uses.ts';
import { operationPath, pagePaths } from './addresses.ts';
import { linkRule } from './fact-links.ts';
import { link } from './markdown.ts';
import type { Reference } from './reference.ts';

/** Keywords of OpenAPI that do not help a reader. */
const structure = new Set(['properties', 'content', 'application/json', 'schema', 'items']);

/** Returns a function that links the places of a spec's table, as Markdown. A component links to the first operation that uses it. */
export function placeFinder(references: readonly Reference[], name: SpecName): (place: string) => string {
  const books = new Map<string, Book>(references.map((reference) => [reference.spec.name, readBook(reference)]));
  const find = (place: string, of: string): string => {
    const book = books.get(of);
    if (!book) throw new Error(`There is no spec ${of}`);
    if (place.startsWith('rule:')) return linkRule(place.slice('rule:'.length));
    const [other, pointer] = /^file:(\w+)(#.*)$/.exec(place)?.slice(1) ?? [];
    return other && pointer ? find(pointer, other) : findPointer(book, place);
  };
  return (place) => find(place, name);
}

interface Book extends Reference {
  byPointer: Map<string, SpecOperation>;
  uses: Map<string, SpecOperation[]>;
}

function readBook(reference: Reference): Book {
  const pointer = ({ path, method }: SpecOperation): string => pointerOf(['paths', path, method.toLowerCase()]);
  return {
    ...reference,
    byPointer: new Map(listOperations(reference.spec).map((operation) => [pointer(operation), operation])),
    uses: findUses(reference.spec),
  };
}

function findPointer({ byPointer, uses }: Book, pointer: string): string {
  const parts = pointer.split('/').slice(1);
  const [section, , third = ''] = parts;
  const head = `#/${parts.slice(0, 3).join('/')}`;
  const operation = byPointer.get(head);
  if (operation) return link(name([operation.operation.summary, ...parts.slice(3)]), operationPath(operation));
  // A path without a method links to its first operation.
  const first =
    section === 'paths' ? [...byPointer].find(([place]) => place.startsWith(`${pointer}/`))?.[1] : undefined;
  const [user = first] = section === 'components' ? (uses.get(head) ?? []) : [];
  const text = section === 'components' ? name([third, ...parts.slice(3)]) : name(parts);
  return link(text, user ? operationPath(user) : pagePaths.documents);
}

/** `Deal › name › maxLength` */
function name(parts: string[]): string {
  const words = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return words.filter((word) => !structure.has(word)).join(' › ');
}
