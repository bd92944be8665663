import type { Format } from './output.ts';

/** Options that every method has, beside its own flags. */
export interface CallFlags {
  input?: string;
  set?: string[];
  showSecret?: boolean;
  output?: Format;
  columns?: string;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  sandbox?: boolean;
  timeout?: string;
  unchecked?: boolean;
}

/** Their names: no field of a method may have one of them. */
export const reserved = [
  'all',
  'columns',
  'dry-run',
  'help',
  'input',
  'output',
  'sandbox',
  'set',
  'show-secret',
  'timeout',
  'unchecked',
  'yes',
];
