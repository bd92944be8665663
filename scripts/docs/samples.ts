import { sampleLanguages } from '../samples/languages.ts';
import type { SpecOperation } from '../spec/model.ts';

/** A sample as Redoc's `x-codeSamples` takes it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The samples of an operation: the text that the tests compile and run. */
export function codeSamples(operation: SpecOperation): CodeSample[] {
  return sampleLanguages.map(({ highlight, label, write }) => ({
    lang: highlight,
    label,
    source: write(operation).trimEnd(),
  }));
}
