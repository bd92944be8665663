/** A block tag of a comment: `@throws`, `@deprecated` or `@example`. */
export interface TsdocBlock {
  tag: 'throws' | 'deprecated' | 'example';
  text?: string;
}

/** One or more paragraphs, separated by blank lines. Tables, lists and code keep their line breaks. */
export type TsdocPart = string | TsdocBlock | undefined | false;

/** An indented TSDoc comment. Empty if there are no parts. */
export function tsdoc(parts: TsdocPart[], indent = ''): string {
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

function blockLines({ tag, text = '' }: TsdocBlock): string[] {
  if (tag === 'example') return [`@${tag}`, ...text.split('\n').map(safe)];
  const [first = '', ...rest] = wrap(text, width - tag.length - 2);
  return [`@${tag} ${first}`.trimEnd(), ...rest];
}

/** Splits a text into paragraphs, each a list of lines. */
function splitParagraphs(text: string): string[][] {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) => (isPreformatted(paragraph) ? paragraph.split('\n').map(notTag) : wrap(paragraph, width)))
    .filter((lines) => lines.length > 0);
}

/** Whether line breaks are part of the Markdown, as in tables, lists and code. */
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

/** Escapes `@`, so that text from a spec cannot begin a block tag. */
function notTag(line: string): string {
  return safe(line).replaceAll(/(?<=^|\s)@/g, '\\@');
}

function safe(line: string): string {
  return line.replaceAll('*/', '*\\/');
}
