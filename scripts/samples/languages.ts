import type { SpecOperation } from '../spec/model.ts';
import { curlSample } from './curl.ts';
import { methodSample } from './typescript.ts';
import { pathSample } from './typescript-path.ts';

interface Language {
  id: string;
  /** What the reference calls it. Redoc tells samples apart by label. */
  label: string;
  /** What Redoc highlights it as. */
  highlight: string;
  /** How names of its files end, without the dot. */
  extension: string;
  /** Writes a program that calls the operation with the examples of the spec. It ends with a line break. */
  write(operation: SpecOperation): string;
}

/** Everything that has samples. The docs show every language, and the tests run each with its runner in test/samples/. */
export const sampleLanguages = [
  { id: 'typescript', label: 'TypeScript', highlight: 'typescript', extension: 'ts', write: methodSample },
  { id: 'typescript-path', label: 'TypeScript by path', highlight: 'typescript', extension: 'ts', write: pathSample },
  { id: 'curl', label: 'curl', highlight: 'bash', extension: 'sh', write: curlSample },
] as const satisfies readonly Language[];

export type SampleLanguage = (typeof sampleLanguages)[number]['id'];
