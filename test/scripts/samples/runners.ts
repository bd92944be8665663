import type { SampleLanguage } from '../../../scripts/samples/languages.ts';
import { curlRunner } from './run-curl.ts';
import { typescriptRunner } from './run-typescript.ts';
import type { Runner } from './runner.ts';

/** Runner of each language. A language without a runner does not compile. */
export const runners: Record<SampleLanguage, Runner> = {
  typescript: typescriptRunner,
  'typescript-path': typescriptRunner,
  curl: curlRunner,
};
