import { calls } from './calls.ts';
import { commandExport } from './command-export.ts';
import { exporting } from './export.ts';
import type { Part } from './part.ts';
import { servers } from './servers.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import { sizes } from './sizes.ts';
import { stepTimes } from './steps.ts';
import { types } from './types.ts';

/** Every part, in the order of the report. */
export const parts: Record<string, Part> = {
  calls,
  export: exporting,
  terminal: commandExport,
  sizes,
  types,
  servers,
  shared: sharedSandbox,
  steps: stepTimes,
};
