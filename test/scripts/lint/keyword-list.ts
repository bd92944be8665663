import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNode, parseDocument } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** Keywords of a kind of object, as in `spec/rules/keywords.yaml`. */
export interface Keywords {
  client: string[];
  docs: string[];
  /** Keywords that nothing reads, with what to write instead. */
  unread: Record<string, string>;
}

const keywords = z.object({
  client: z.array(z.string()).default([]),
  docs: z.array(z.string()).default([]),
  unread: z.record(z.string(), z.string()).default({}),
});
const place = ['rules', 'keyword-known', 'then', 'functionOptions'];

/** The closed language: the keywords of each kind of object. */
export function readKeywords(): Record<string, Keywords> {
  const text = readFileSync(join(repositoryRoot, 'spec', 'rules', 'keywords.yaml'), 'utf8');
  const rules = parseDocument(text);
  const list = rules.getIn(place);
  return z.record(z.string(), keywords).parse(isNode(list) ? list.toJS(rules) : list);
}
