import type { SpecOperation } from '../../spec/model.ts';
import { describeSource } from '../../spec/source.ts';
import { readUnsupported } from '../../spec/unsupported.ts';
import { methodOf, operationPath, pagePaths } from '../addresses.ts';
import { blocks, code, factList, link, searchWords } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** Tasks without an operation in the API, each with the sections of the documents that list the existing operations. */
export function unsupportedPage(operations: readonly SpecOperation[]): SitePage {
  return {
    path: pagePaths.unsupported,
    title: 'What you cannot do',
    description: 'Tasks without an operation, such as cancel, undo, restore and webhooks, and what to do instead.',
    body: blocks(
      `The [documents](${pagePaths.documents}) contain no operation for these tasks. The service may do more than its documents say, but this project adds no facts of its own.`,
      ...readUnsupported().map(({ title, sources, stated, why, instead, search }) =>
        blocks(
          `## You cannot ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
          searchWords(search),
          why.trim(),
          factList([
            ['Instead', linkMethods(instead, operations)],
            [
              'Source',
              `${sources.map(describeSource).join('; ')}: ${stated === 'not documented' ? 'it says that this is not documented' : 'no such operation is listed'}.`,
            ],
          ]),
        ),
      ),
    ),
  };
}

/** Links each method that a text names as code to its page. */
function linkMethods(markdown: string, operations: readonly SpecOperation[]): string {
  const pages = new Map(operations.map((operation) => [methodOf(operation), operationPath(operation)]));
  return markdown.replace(/`([\w.]+)`/g, (whole, name: string) => {
    const page = pages.get(name);
    return page === undefined ? whole : link(code(name), page);
  });
}
