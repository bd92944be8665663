/** A block of a comment that begins with a tag: `@throws`, `@deprecated`, `@example`. */
export interface Block {
  tag: 'throws' | 'deprecated' | 'example';
  text?: string;
}

/** A paragraph, or several with a blank line between them; tables, lists and code keep their lines. */
export type Part = string | Block | undefined | false;

/** A TSDoc comment of the given parts, indented; nothing where there is nothing to say. */
export function tsdoc(parts: Part[], indent = ''): string {
  const paragraphs = parts.flatMap((part) => (typeof part === 'string' ? splitParagraphs(part) : []));
  const blocks = parts.filter((part) => typeof part === 'object');
  const lines = [...paragraphs, blocks.flatMap(blockLines)]
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : ['', ...group]));
  const [only] = lines;
  if (only === undefined) return '';
  if (lines.length === 1 && blocks.length === 0) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const width = 116;

function blockLines({ tag, text = '' }: Block): string[] {
  if (tag === 'example') return [`@${tag}`, ...text.split('\n').map(safe)];
  const [first = '', ...rest] = wrap(text, width - tag.length - 2);
  return [`@${tag} ${first}`.trimEnd(), ...rest];
}

/** Source form → lines of each paragraph. */
function splitParagraphs(text: string): string[][] {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) => (isPreformatted(paragraph) ? paragraph.split('\n').map(notTag) : wrap(paragraph, width)))
    .filter((lines) => lines.length > 0);
}

/** Whether line breaks are part of the Markdown: a table, a list or code. */
function isPreformatted(paragraph: string): boolean {
  return /^\s*(\||```|[-*] |\d+\. )/.test(paragraph);
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(notTag);
}

/** Text from a spec can neither end the comment nor begin a block of its own. */
function notTag(line: string): string {
  return safe(line).replaceAll(/(?<=^|\s)@/g, '\\@');
}

function safe(line: string): string {
  return line.replaceAll('*/', '*\\/');
}
