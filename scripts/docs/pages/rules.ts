import { choices } from '../../../src/sandbox/rules/choices.ts';
import { listRules, type SpecRule } from '../../spec/rules.ts';
import { describeSource } from '../../spec/source.ts';
import { pagePaths } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { linkCodes } from '../markdown/fact-links.ts';
import { blocks, code } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';
import { operationLink } from './errors.ts';

/**
 * Every rule of every spec with its tests, and the sandbox's choices for undocumented behaviour. The id of a rule or choice is its anchor.
 *
 * @param tests - test files by the id of the rule that a title in them names
 */
export function rulesPage(
  references: readonly ProductReference[],
  tests: ReadonlyMap<string, readonly string[]>,
): SitePage {
  const groups = references.map(({ spec }) => ({ title: spec.openapi.info.title, rules: listRules(spec) }));
  const decided = Object.entries(choices);
  return {
    path: pagePaths.rules,
    title: 'Rules and choices',
    description: 'Every documented rule of behaviour with its source and tests, and every choice of the sandbox.',
    body: blocks(
      `The sandbox enforces every rule of behaviour in the [documents](${pagePaths.documents}). When it rejects a request, the header ${code('x-sandbox-rule')} contains the rule. At least one test covers each rule.`,
      ...groups.map(({ title, rules }) =>
        blocks(`## ${title} (${rules.length})`, ...rules.map((rule) => ruleSection(rule, tests.get(rule.id)))),
      ),
      `## Choices of the sandbox (${decided.length})`,
      `If a behaviour is not documented, the sandbox makes a choice. Choices are not facts about the platform: do not rely on them. If a choice affects a response, the header ${code('x-sandbox-choice')} contains it.`,
      ...decided.map(([id, text]) => blocks(`### ${id}`, text)),
    ),
    // Hundreds of ids are too many for a table of contents.
    head: { tableOfContents: { maxHeadingLevel: 2 } },
  };
}

function ruleSection({ id, source, text, operation }: SpecRule, tests: readonly string[] = []): string {
  const where = operation ? operationLink(operation) : 'All operations';
  return blocks(
    `### ${id}`,
    linkCodes(text.trim()),
    `${where}. Source: ${describeSource(source)}. ${tests.length === 1 ? 'Test' : 'Tests'}: ${tests.map(code).join(', ')}`,
  );
}
