import { sampleLanguages } from '../samples/languages.ts';
import type { SpecOperation } from '../spec/model.ts';

/** A sample in the form of Redoc's `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The samples of an operation. The tests compile and run the same text. */
export function codeSamples(operation: SpecOperation): CodeSample[] {
  return sampleLanguages.map(({ highlight, label, write }) => ({
    lang: highlight,
    label,
    source: write(operation).trimEnd(),
  }));
}
