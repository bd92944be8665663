import { Html } from './html.ts';
import type { Page } from './layout.ts';
import { rulesFile } from './try/ids.ts';

/** The page of error codes. The anchor of each is the code. Apart from its content, so that any page can link to it. */
export const errorsPage: Page = { file: 'errors.html', label: 'Error codes', menu: 'project' };

const code = /\bcode (\d{4})\b/g;

/** Markdown with links to the page of error codes, for each code that it names, as in `refused with code 3086`. */
export function linkCodes(markdown: string): string {
  return markdown.replace(code, `[code $1](${errorsPage.file}#$1)`);
}

/** The same for text that is HTML already. */
export function linkCodesInHtml({ source }: Html): Html {
  return new Html(source.replace(code, `<a href="${errorsPage.file}#$1">code $1</a>`));
}

/** The id of a rule as Markdown, with a link to its sentence, source and tests. */
export function linkRule(id: string): string {
  return `[${id}](${rulesFile}#${id})`;
}
