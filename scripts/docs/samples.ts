import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type SampleKind, sampleFile, withoutHead } from '../generate/samples.ts';
import { generatedPath, repositoryRoot } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';

/** Redoc tells samples apart by label, and must know the labels: it drops samples under any other. */
export const sampleLanguages = [
  { lang: 'typescript', label: 'TypeScript' },
  { lang: 'typescript', label: 'TypeScript by path' },
  { lang: 'bash', label: 'curl' },
] as const;

const kinds: Record<(typeof sampleLanguages)[number]['label'], SampleKind> = {
  TypeScript: 'method.ts',
  'TypeScript by path': 'path.ts',
  curl: 'curl.sh',
};

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The generated samples of an operation, which the tests compile and run, as they stand in their files. */
export function codeSamples(operation: SpecOperation): CodeSample[] {
  return sampleLanguages.map(({ lang, label }) => {
    const file = generatedPath(operation.spec.name, sampleFile(operation, kinds[label]));
    if (!existsSync(file)) throw new Error(`There is no ${relative(repositoryRoot, file)}: run \`npm run generate\``);
    return { lang, label, source: withoutHead(readFileSync(file, 'utf8')) };
  });
}
