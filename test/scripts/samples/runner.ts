import type { SampleLanguage } from '../../../scripts/samples/languages.ts';
import type { LoggedRequest } from '../../../src/sandbox/index.ts';
import type { Sample } from '../../support/samples.ts';

/** The result of a sample that ran against its own sandbox. */
export interface Outcome {
  /** Reason if the program failed. */
  error?: string | undefined;
  /** Printed lines. */
  printed: string[];
  /** Warnings of the client. */
  warnings: string[];
  requests: readonly LoggedRequest[];
  /** Bodies of the responses that report a failure, with any status. */
  failures: string[];
}

export interface Runner {
  /** Why samples cannot run on this machine, and what to install. */
  missing?: string | undefined;
  /** Runs every sample in the language. Returns outcomes by the names of the samples. */
  run(language: SampleLanguage): Promise<ReadonlyMap<string, Outcome>>;
  /** Asserts the requirements of this language's samples beyond those of all samples. */
  check(outcome: Outcome, sample: Sample): void;
}
