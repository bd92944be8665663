import { casesOf } from '../../samples/cases.ts';
import { sampleLanguages } from '../../samples/languages.ts';
import type { SpecOperation } from '../../spec/model.ts';

/**
 * The samples of an operation's first example, one for each language, in the format of Redoc's `x-codeSamples`. The tests compile
 * and run the same text.
 */
export function firstSamples(operation: SpecOperation): { lang: string; label: string; source: string }[] {
  const [first] = casesOf(operation);
  return sampleLanguages.map(({ highlight, label, write }) => ({
    lang: highlight,
    label,
    source: write(first?.operation ?? operation).trimEnd(),
  }));
}
