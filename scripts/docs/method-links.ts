import { specNames } from '../spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../spec/model.ts';
import { Html } from './html.ts';
import { anchorOf } from './open-points.ts';
import { methodOf } from './search/operation-entries.ts';

let operations: ReadonlyMap<string, SpecOperation> | undefined;

/** The operations of all specs by their method. */
function operationsByMethod(): ReadonlyMap<string, SpecOperation> {
  operations ??= new Map(
    specNames.flatMap((name) => listOperations(loadSpec(name)).map((operation) => [methodOf(operation), operation])),
  );
  return operations;
}

/** Highlighters wrap each name of a call in an element; formatters put names on lines of their own. */
const between = String.raw`(?:</?span[^>]*>|\s)*`;
const name = '[a-zA-Z]+';
const call = new RegExp(
  String.raw`(?:<span[^>]*>)?\b(?:${specNames.join('|')})\b(?:${between}\.${between}${name}\b)+(?:</span>)?`,
  'g',
);

/** Every operation whose method a text names, such as `api.crm.deals.create()`, once, in order. */
export function findMethods(text: string): SpecOperation[] {
  const found = Array.from(text.matchAll(call), ([written]) => readMethod(written));
  return [...new Set(found.filter((operation) => operation !== undefined))];
}

/** Adds a link to the reference to each method that the code of a page names. */
export function linkMethods(page: Html): Html {
  const codes = /<a\b[^>]*>[\s\S]*?<\/a>|<code\b[^>]*>[\s\S]*?<\/code>/g;
  return new Html(page.source.replace(codes, (part) => (part.startsWith('<a') ? part : part.replace(call, link))));
}

function link(written: string): string {
  const operation = readMethod(written);
  if (operation === undefined || !isBalanced(written)) return written;
  return `<a class="method" href="${operation.spec.name}.html${anchorOf(operation)}">${written}</a>`;
}

function readMethod(written: string): SpecOperation | undefined {
  return operationsByMethod().get(written.replace(/<[^>]*>|\s/g, ''));
}

function isBalanced(source: string): boolean {
  return source.match(/<span/g)?.length === source.match(/<\/span/g)?.length;
}
