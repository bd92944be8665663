/** Helpers that write Markdown. Texts of the specs are already Markdown. */

/** A table. Cells may contain several lines. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** A cell must be one line, so line breaks become `<br>`. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/\n{2,}|\n(?=- )/g, '<br>')
    .replaceAll('\n', ' ')
    .replace(/(?<!\\)\|/g, '\\|');
}

/** A collapsed block. Markdown inside it needs blank lines around it. */
export function folded(summary: string, ...blocks: readonly string[]): string {
  return `<details>\n<summary>${escapeHtml(summary)}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`;
}

/** One tab of {@link tabs}. */
export interface Tab {
  id: string;
  label: string;
  content: string;
}

/**
 * Folded blocks that share a name, so that the browser keeps one open. They look like tabs where the browser can style them. The
 * next page opens the tabs that the reader chose.
 *
 * @param group - name of the choice, such as `language`
 */
export function tabs(group: string, entries: readonly Tab[]): string {
  const details = entries.map(({ id, label, content }, index) =>
    folded(label, content).replace(
      '<details>',
      `<details name="${group}" data-choice="${id}"${index === 0 ? ' open' : ''}>`,
    ),
  );
  return blocks('<div class="tabs">', ...details, '</div>');
}

/** Markdown in an element that the style sheet targets: on a phone, each table row becomes a block. */
export function within(name: 'fields' | 'methods' | 'rows', markdown: string): string {
  return `<div class="${name}">\n\n${markdown}\n\n</div>`;
}

/** A table of figures. It scrolls on a phone, so the keyboard must be able to focus it. */
export function figures(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `<div class="figures" role="region" tabindex="0" aria-label="${escapeHtml(label)}">\n\n${table(head, rows)}\n\n</div>`;
}

/**
 * A code block with a fence longer than any in the code.
 *
 * @param language - language of the highlighting, followed by options of Expressive Code
 */
export function codeBlock(code: string, language: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`;
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

export function link(text: string, address: string): string {
  return `[${text}](${address})`;
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replace(/\n/g, '\n  ')}`).join('\n');
}

/** Named facts, one per line. */
export function factList(entries: readonly (readonly [name: string, text: string])[]): string {
  return list(entries.map(([name, text]) => `**${name}:** ${text.trim()}`));
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Joins the blocks that apply with blank lines. */
export function blocks(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined && part !== '').join('\n\n');
}

/**
 * Extra words for the search that a section does not contain. Below a heading they lead to its section; above all
 * headings, to the page. They are written as a comment, `<!-- search: … -->`, that only the search index reads.
 */
export function searchWords(words: readonly string[]): string {
  return `<!-- search: ${words.join(', ')} -->`;
}

export const searchComment: RegExp = /^<!-- search:\s*(.*?)\s*-->$/gms;

/** Markdown that the search leaves out, because other sections contain the same words. */
export function unsearched(markdown: string): string {
  return `<!-- unsearched -->\n\n${markdown}\n\n<!-- /unsearched -->`;
}

export function removeUnsearched(markdown: string): string {
  return markdown.replaceAll(/^<!-- unsearched -->$.*?^<!-- \/unsearched -->$/gms, '');
}

/** Markdown for readers, without the comments that only the search reads. */
export function removeSearchComments(markdown: string): string {
  return markdown.replaceAll(new RegExp(`(?:${searchComment.source}|^<!-- /?unsearched -->$)\\n*`, 'gms'), '');
}

export function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();
}

/** The plain text of Markdown on one line, for descriptions and search words. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
