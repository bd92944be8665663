import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNode, parseDocument } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';

/** Keywords of a kind of object, as in `spec/rules/keywords.yaml`. */
export interface Keywords {
  client: string[];
  docs: string[];
  /** Refused keywords, with what to do instead. */
  refused: Record<string, string>;
}

const keywords = z.object({
  client: z.array(z.string()).default([]),
  docs: z.array(z.string()).default([]),
  refused: z.record(z.string(), z.string()).default({}),
});
const place = ['rules', 'keyword-known', 'then', 'functionOptions'];

/** The closed language: the keywords of each kind of object. */
export function readKeywords(): Record<string, Keywords> {
  const text = readFileSync(join(repositoryRoot, 'spec', 'rules', 'keywords.yaml'), 'utf8');
  const rules = parseDocument(text);
  const list = rules.getIn(place);
  return z.record(z.string(), keywords).parse(isNode(list) ? list.toJS(rules) : list);
}

const section = /(<!-- keywords: [^\n]*-->\n)[\s\S]*?(<!-- end of keywords -->)/;

/** `spec/README.md` with the current list. Throws if the page has no place for it. */
export function withKeywordList(page: string): string {
  if (!section.test(page)) throw new Error('spec/README.md has no place for the list of keywords');
  return page.replace(section, (_, start: string, end: string) => `${start}\n${keywordList(readKeywords())}\n${end}`);
}

function keywordList(kinds: Record<string, Keywords>): string {
  const rows = Object.entries(kinds).map(
    ([kind, { client, docs }]) => `| ${kind} | ${client.map(code).join(', ')} | ${docs.map(code).join(', ')} |\n`,
  );
  const refused = Object.entries(kinds).flatMap(([kind, keywords]) =>
    [...byReason(keywords.refused)].map(
      ([reason, names]) => `| ${kind} | ${names.map(code).join(', ')} | ${reason} |\n`,
    ),
  );
  return `| object | client | docs |
|---|---|---|
${rows.join('')}
| object | refused | why, and what to do |
|---|---|---|
${refused.join('')}`;
}

/** Reason → the keywords that are refused for it. */
function byReason(refused: Record<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, reason] of Object.entries(refused)) groups.set(reason, [...(groups.get(reason) ?? []), name]);
  return groups;
}

function code(name: string): string {
  return `\`${name}\``;
}
