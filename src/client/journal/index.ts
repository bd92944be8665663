/**
 * A journal on disk for steps that must happen only once across all runs of a program. Requires Node.
 *
 * @module carillon/journal
 */
export { findMarked, type Marked } from './find-marked.ts';
export { type Journal, type JournalOptions, openJournal, type Step } from './journal.ts';
export { concernsRow, isBadValue, LookupUnclearError, OutcomeUnknownError, provesNothingDone } from './outcome.ts';
