import type { SampleLanguage } from '../../../scripts/samples/languages.ts';
import type { LoggedRequest } from '../../../src/sandbox/index.ts';
import type { Sample } from '../../support/samples.ts';

/** The result of a sample that ran against its own sandbox. */
export interface Outcome {
  /** Why the program failed. */
  error?: string | undefined;
  /** What it printed. */
  printed: string[];
  /** What the client warned of. */
  warnings: string[];
  requests: readonly LoggedRequest[];
  /** Bodies of the answers that report a failure, whatever their status. */
  failures: string[];
}

export interface Runner {
  /** Why no sample can run on this machine, and what to install. */
  missing?: string | undefined;
  /** Runs every sample in the language. Returns outcomes by the names of the samples. */
  run(language: SampleLanguage): Promise<ReadonlyMap<string, Outcome>>;
  /** Asserts what must be true of this language's samples, besides what must be true of all samples. */
  check(outcome: Outcome, sample: Sample): void;
}
