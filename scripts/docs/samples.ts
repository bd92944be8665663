import { casesOf, type SampleCase } from '../samples/cases.ts';
import { sampleLanguages } from '../samples/languages.ts';
import type { SpecOperation } from '../spec/model.ts';
import { exampleLabel } from './sample-picker.ts';

/** A sample in the form of Redoc's `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The samples of an operation: for each language, one for each example. The tests compile and run the same text. */
export function codeSamples(operation: SpecOperation): CodeSample[] {
  return casesOf(operation).flatMap((shown, index) => samplesOf(shown, index === 0));
}

/** The samples of the first example, one for each language: the page shows these first. */
export function firstSamples(operation: SpecOperation): CodeSample[] {
  return casesOf(operation)
    .slice(0, 1)
    .flatMap((shown) => samplesOf(shown, true));
}

function samplesOf({ example, operation }: SampleCase, isFirst: boolean): CodeSample[] {
  return sampleLanguages.map(({ highlight, label, write }) => ({
    lang: highlight,
    label: isFirst || !example ? label : exampleLabel(label, example),
    source: write(operation).trimEnd(),
  }));
}
