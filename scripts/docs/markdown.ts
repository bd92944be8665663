/** Small writers of Markdown. Texts of the specs are Markdown already. */

/** A table. Cells may contain several lines. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** A cell is one line: a list or several paragraphs keep their breaks. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/\n{2,}|\n(?=- )/g, '<br>')
    .replaceAll('\n', ' ')
    .replace(/(?<!\\)\|/g, '\\|');
}

/** A block that a reader opens. Markdown inside of it needs blank lines around it. */
export function folded(summary: string, ...blocks: readonly string[]): string {
  return `<details>\n<summary>${escapeHtml(summary)}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`;
}

/** Markdown in an element that the style sheet knows: on a phone, each row of a table in it is a block. */
export function within(name: 'fields' | 'methods' | 'rows', markdown: string): string {
  return `<div class="${name}">\n\n${markdown}\n\n</div>`;
}

/** A table of figures. On a phone it scrolls, so that the keyboard has to reach it. */
export function figures(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `<div class="figures" role="region" tabindex="0" aria-label="${escapeHtml(label)}">\n\n${table(head, rows)}\n\n</div>`;
}

/** A block of code whose fence is longer than any in it. */
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

/** Named facts, one on each line. */
export function facts(entries: readonly (readonly [name: string, text: string])[]): string {
  return list(entries.map(([name, text]) => `**${name}:** ${text.trim()}`));
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Blocks with blank lines between them, without those that do not apply. */
export function blocks(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined && part !== '').join('\n\n');
}

/**
 * Words that readers search for, and that a section does not contain. In the first line below its heading, they lead the
 * search to the section; above all headings, to the page. They are a comment, which guides contain as `<!-- search: … -->`:
 * only the index of the search gets them.
 */
export function searchWords(words: readonly string[]): string {
  return `<!-- search: ${words.join(', ')} -->`;
}

const searchComment = /^<!-- search:\s*(.*?)\s*-->$/gms;

/**
 * Markdown as the index of the search reads it. Search words are a hidden paragraph, between brackets, because the search
 * leaves out of its excerpts what they enclose.
 */
export function markForSearch(markdown: string): string {
  return markdown.replace(
    searchComment,
    (_, words: string) => `<p hidden data-pagefind-weight="8">⟦ ${escapeHtml(words)} ⟧</p>`,
  );
}

export function removeSearchWords(markdown: string): string {
  return markdown.replace(new RegExp(`${searchComment.source}\\n*`, 'gms'), '');
}

export function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();
}

/** The text of Markdown in one line, for descriptions and search words. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
