import type { SpecOperation } from '../spec/model.ts';
import { curlSample } from './curl.ts';
import { methodSample } from './typescript.ts';
import { pathSample } from './typescript-path.ts';

interface Language {
  id: string;
  /** Label in the reference. Redoc distinguishes samples by their label. */
  label: string;
  /** Language for Redoc's syntax highlighting. */
  highlight: string;
  /** File name extension, without the dot. */
  extension: string;
  /** Writes a program that calls the operation with the examples of the spec. Ends with a line break. */
  write(operation: SpecOperation): string;
}

/** All languages of samples. The docs show each one, and test/scripts/samples/ has a runner for each. */
export const sampleLanguages = [
  { id: 'typescript', label: 'TypeScript', highlight: 'typescript', extension: 'ts', write: methodSample },
  { id: 'typescript-path', label: 'TypeScript by path', highlight: 'typescript', extension: 'ts', write: pathSample },
  { id: 'curl', label: 'curl', highlight: 'bash', extension: 'sh', write: curlSample },
] as const satisfies readonly Language[];

export type SampleLanguage = (typeof sampleLanguages)[number]['id'];
