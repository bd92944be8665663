/** The public types, by subject. */
export type * from './types/definition.ts';
export type * from './types/jobs.ts';
export type * from './types/options.ts';
export type * from './types/source.ts';
export type * from './types/status.ts';
