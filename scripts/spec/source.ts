import { products, type SpecName, specNames } from './files.ts';

export interface Source {
  /** The document's spec. */
  spec: SpecName;
  /** Name of the document: `CRM document`. */
  document: string;
  /** The sections in words: `sections 2 and 4`. */
  sections: string;
}

/** Reads an `x-source`, such as `1 §2, §4`. Section 0 is the introduction before section 1. */
export function readSource(source: string): Source {
  const spec = specNames[Number(/^\d+/.exec(source)?.[0]) - 1];
  if (spec === undefined) throw new Error(`${source} names no document: write its number first, such as 1 §4`);
  const numbers = Array.from(source.matchAll(/§(\d+)/g), ([, number = '']) => number);
  return { spec, document: `${products[spec].label} document`, sections: describeSections(numbers) };
}

/** Describes a source in words: `1 §2, §4` becomes `CRM document, sections 2 and 4`. */
export function describeSource(source: string): string {
  const { document, sections } = readSource(source);
  return `${document}, ${sections}`;
}

function describeSections(numbers: string[]): string {
  const [first, ...others] = numbers.filter((number) => number !== '0');
  const sections =
    first === undefined ? [] : [others.length === 0 ? `section ${first}` : `sections ${list([first, ...others])}`];
  return list(numbers.includes('0') ? ['introduction', ...sections] : sections);
}

function list(items: string[]): string {
  return new Intl.ListFormat('en-GB').format(items);
}
