import {
  type PushCampaignCreate,
  type PushFilter,
  PushFilterCondition,
  PushFilterOperator,
  type PushUrlFilter,
  PushUrlFilterType,
} from '../../../../generated/messaging/models.ts';
import { zPushRegionFilter } from '../../../../generated/messaging/zod.ts';
import { compareStrings } from '../../rules/compare-strings.ts';
import type { Context } from '../../rules/context.ts';
import type { SubscriberEntry } from '../websites.ts';
import { readJsonField, readUrlFilter } from './json-fields.ts';

/** Returns whether a campaign is sent to a subscriber. */
export type SubscriberTest = (entry: Readonly<SubscriberEntry>) => boolean;

/** Returns a test for each filter of a campaign. A subscriber must pass all tests. */
export function readFilters(body: PushCampaignCreate, context: Context): SubscriberTest[] {
  const tests: SubscriberTest[] = [];
  const { filter_lang: lang, filter_subscription_date_from: from, filter_subscription_date_to: to } = body;
  if (lang?.trim()) tests.push(({ record }) => sameWord(record.lang, lang));
  const browsers = splitWords(body.filter_browser);
  if (browsers.length > 0) tests.push(({ record }) => browsers.some((browser) => sameWord(record.browser, browser)));
  const regions = readJsonField('filter_region', body.filter_region, zPushRegionFilter, context) ?? [];
  if (regions.length > 0) tests.push(({ record }) => regions.some((code) => sameWord(record.country_code, code)));
  const url = readUrlFilter(body.filter_url, context);
  if (url) tests.push(({ page }) => pageFits(page, url));
  if (from) tests.push(({ record }) => record.subscription_date.slice(0, 10) >= from);
  if (to) tests.push(({ record }) => record.subscription_date.slice(0, 10) <= to);
  const byVariable = body.filter && readVariableFilter(body.filter, context);
  if (byVariable) tests.push(byVariable);
  if (tests.length > 0) context.chose('push-filter-matching');
  if (from || to) context.chose('utc-dates');
  return tests;
}

function splitWords(text = ''): string[] {
  return text.split(',').flatMap((word) => word.trim() || []);
}

function sameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function pageFits(page: string, { type, search = '' }: PushUrlFilter): boolean {
  if (type === PushUrlFilterType.Direct) return search.includes(page);
  const contains = typeof search === 'string' && page.includes(search);
  return type === PushUrlFilterType.Include ? contains : !contains;
}

function readVariableFilter(filter: PushFilter, context: Context): SubscriberTest | undefined {
  const { variable_name: name, operator = PushFilterOperator.And, conditions = [] } = filter;
  if (!name && conditions.length === 0) {
    context.chose('push-incomplete-filter');
    return undefined;
  }
  const complete = conditions.flatMap(({ condition, value }) =>
    condition === undefined || value === undefined ? [] : { condition, value },
  );
  if (!name || conditions.length === 0 || complete.length < conditions.length)
    return context.rejectByChoice(
      'push-incomplete-filter',
      'filter needs a variable_name and at least one item in conditions. Each item needs a condition and a value.',
    );
  const holds = ({ record }: Readonly<SubscriberEntry>, { condition, value }: (typeof complete)[number]): boolean =>
    comparisons[condition](record.variables.find((variable) => variable.name === name)?.value, value);
  return operator === PushFilterOperator.Or
    ? (entry) => complete.some((condition) => holds(entry, condition))
    : (entry) => complete.every((condition) => holds(entry, condition));
}

type Comparison = (actual: string | undefined, wanted: string) => boolean;

const comparisons: Record<PushFilterCondition, Comparison> = {
  [PushFilterCondition.Equal]: (actual, wanted) => actual === wanted,
  [PushFilterCondition.NotEqual]: (actual, wanted) => actual !== wanted,
  [PushFilterCondition.GreaterThan]: (actual, wanted) => actual !== undefined && compareStrings(actual, wanted) > 0,
  [PushFilterCondition.LessThan]: (actual, wanted) => actual !== undefined && compareStrings(actual, wanted) < 0,
  [PushFilterCondition.StartWith]: (actual, wanted) => actual?.startsWith(wanted) ?? false,
  [PushFilterCondition.EndWith]: (actual, wanted) => actual?.endsWith(wanted) ?? false,
  [PushFilterCondition.LikeWith]: (actual, wanted) => actual?.includes(wanted) ?? false,
  [PushFilterCondition.NotLikeWith]: (actual, wanted) => !actual?.includes(wanted),
};
