/**
 * Learns from responses what is not documented: types, formats and fields, never values. Needs Node.
 *
 * @module carillon/learn
 */
export type { ResponseValidator } from '../core/options.ts';
export { createLearner, type Learner, type LearnerOptions } from './learner.ts';
