import { effectTexts } from '../../../src/cli/catalogue/type-text.ts';
import { effectOf } from '../../spec/effect.ts';
import { methodOf, operationPath, pagePaths } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { blocks, code, link, list, table, within } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** Every method with its effect, in one table per product. */
export function methodsPage(references: readonly ProductReference[]): SitePage {
  const count = references.reduce((sum, { operations }) => sum + operations.length, 0);
  return {
    path: pagePaths.methods,
    title: 'All methods',
    description: `All ${count} methods of the client, and what a call of each does: read, write, delete or send.`,
    body: blocks(
      `All ${count} methods of the client. The commands ${code('carillon')} and ${code('carillon-mcp')} use the same list: they ask before calls that reach people, cost money or cannot be undone.`,
      list(Object.entries(effectTexts).map(([effect, text]) => `**${effect}** ${text}`)),
      `For agents: [llms.txt](/llms.txt) lists the methods, and [llms-full.txt](/llms-full.txt) has all parameters, limits, rules, gaps and examples.`,
      ...references.map(({ spec, operations }) =>
        blocks(
          `## ${spec.openapi.info.title}`,
          within(
            'methods',
            table(
              ['Method and request', 'Summary', 'Effect'],
              operations.map((operation) => [
                `${link(code(methodOf(operation)), operationPath(operation))}\n\n${code(`${operation.method} ${operation.base}${operation.path}`)}`,
                `${operation.operation.summary}${operation.operation.deprecated === true ? ' (deprecated)' : ''}`,
                effectOf(operation.operation).kind,
              ]),
            ),
          ),
        ),
      ),
    ),
  };
}
