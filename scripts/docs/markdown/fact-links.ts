import { codePath, rulePath } from '../addresses.ts';

/** Links each error code in the Markdown, as in `rejected with code 3086`. */
export function linkCodes(markdown: string): string {
  return markdown.replace(/\bcode (\d{4})\b/g, (text, code) => `[${text}](${codePath(code)})`);
}

/** The id of a rule, with a link to its sentence, source and tests. */
export function linkRule(id: string): string {
  return `[${id}](${rulePath(id)})`;
}
