import { products } from '../../../generated/products.ts';
import { rules } from '../../../generated/rules.ts';

export { rules };

/** ID of a rule. */
export type AnyRule = keyof typeof rules;

/** Names of the documents, by the document number in a source reference. */
const documents = new Map(Object.values(products).map(({ document, label }) => [document as number, label]));
const list = new Intl.ListFormat('en-GB');

/** `1 §2, §4` → `CRM document, sections 2 and 4`. Readers of a response do not know the documents by number. */
export function sourceInWords(source: string): string {
  const all = Array.from(source.matchAll(/§(\d+)/g), ([, section = '']) => section);
  // Section 0 is the introduction before section 1.
  const sections = all.filter((section) => section !== '0');
  const parts = all.length > sections.length ? ['introduction'] : [];
  if (sections.length > 0) parts.push(`${sections.length === 1 ? 'section' : 'sections'} ${list.format(sections)}`);
  return `${documents.get(Number.parseInt(source, 10))} document, ${list.format(parts)}`;
}
