import type { Token } from 'marked';
import type { Guide } from '../guides.ts';
import type { Entry } from './entry.ts';

/** An entry for each guide, and one for each of its sections. */
export function guideEntries(guide: Guide): Entry[] {
  const { title, lead, page } = guide;
  const [start, ...sections] = sectionsOf(guide);
  const text = [lead.replaceAll('`', ''), start?.text].filter(Boolean).join(' ');
  return [
    { kind: 'guide', title, place: 'Guide', names: [], text, href: page.file },
    ...sections.map(
      ({ heading, id, text }): Entry => ({
        kind: 'guide',
        title: heading,
        place: `Guide · ${title}`,
        names: [],
        text,
        href: `${page.file}#${id}`,
      }),
    ),
  ];
}

interface Section {
  heading: string;
  id: string;
  text: string;
}

/** The text before the first heading, then each heading with the text below it. */
function sectionsOf({ content, headings }: Guide): Section[] {
  const rest = headings.values();
  const sections: Section[] = [{ heading: '', id: '', text: '' }];
  for (const token of content) {
    if (token.type === 'heading') {
      const { text = '', id = '' } = rest.next().value ?? {};
      sections.push({ heading: text, id, text: '' });
    } else {
      const last = sections.at(-1);
      if (last) last.text = `${last.text} ${plainText(token)}`.trim();
    }
  }
  return sections;
}

/** Text without marks. Of a program, only the calls of the client: the rest is words of every program. */
function plainText(token: Token): string {
  if (token.type === 'code') return [...new Set(token.text.match(/\bapi(?:\.\w+)+|\w+Error\b/g) ?? [])].join(' ');
  if (token.type === 'table') {
    const rows: Token[][] = [token.header, ...token.rows];
    return rows.map((cells) => cells.map((cell) => textOf('tokens' in cell ? cell.tokens : [])).join(' · ')).join('. ');
  }
  if (token.type === 'list')
    return token.items.map((item: Token) => textOf('tokens' in item ? item.tokens : [])).join(' ');
  return 'tokens' in token ? textOf(token.tokens) : '';
}

function textOf(tokens: Token[] = []): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return textOf(token.tokens);
      return 'text' in token ? String(token.text) : ' ';
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}
