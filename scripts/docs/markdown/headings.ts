import type { Token, Tokens } from 'marked';

export interface Heading {
  depth: number;
  text: string;
  /** Anchor, the same as on GitHub. */
  id: string;
}

/** The headings of a text with their anchors. Repeated anchors get a number. */
export function readHeadings(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>();
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, tokens: inner }) => {
      const text = plainTextOf(inner);
      const slug = slugOf(text);
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return { depth, text, id: count === 0 ? slug : `${slug}-${count}` };
    });
}

/** The anchor of a heading. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const inline = new Set(['text', 'strong', 'em', 'link', 'codespan', 'br', 'del', 'escape']);

/** The text of a token without Markdown and HTML. */
export function textOf(token: Token): string {
  if (token.type === 'html') return token.raw.replace(/<[^>]*>/g, ' ');
  const inner: Token[] = [
    ...('tokens' in token ? (token.tokens ?? []) : []),
    ...(token.type === 'list' ? token.items : []),
    ...(token.type === 'table'
      ? [...token.header, ...token.rows.flat()].flatMap(({ tokens }: { tokens: Token[] }) => [...tokens, space])
      : []),
  ];
  if (inner.length > 0) return inner.map(textOf).join(inner.every(({ type }) => inline.has(type)) ? '' : ' ');
  return 'text' in token ? token.text : ' ';
}

const space: Token = { type: 'text', raw: ' ', text: ' ' };

export function plainTextOf(tokens: readonly Token[] = []): string {
  return tokens.map(textOf).join('');
}
