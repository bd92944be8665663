import { describeFaultFields } from '../fault-fields.ts';
import { choices, rules } from '../index.ts';
import { listOperationIds } from '../operation-ids.ts';
import { sourceInWords } from '../source-words.ts';
import type { PageData } from './script/data.ts';
import type { PageSources } from './sources.ts';

/**
 * Joins the parts of the page to one document.
 *
 * @param docs - URL of the docs, without a trailing slash, to which the page links rules and choices
 */
export function fillPage({ markup, styles, script }: PageSources, docs: string | undefined): string {
  const described = Object.entries(rules).map(([id, { text, source }]) => [
    id,
    `${text.trim()} (${sourceInWords(source)})`,
  ]);
  const data: PageData = {
    ...(docs !== undefined && { docs }),
    operations: listOperationIds(),
    faultFields: describeFaultFields(),
    reasons: Object.fromEntries([...described, ...Object.entries(choices)]),
  };
  return [
    ['<style>', styles],
    ['<script type="application/json" id="data">', JSON.stringify(data).replaceAll('<', '\\u003c')],
    ['<script>', script],
  ].reduce((page, [tag = '', content = '']) => page.replace(tag, () => tag + content), markup);
}
