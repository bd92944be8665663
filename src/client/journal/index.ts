/**
 * A journal on disk for steps that must happen once, over all runs of one program. Requires Node.
 *
 * @module carillon/journal
 */
export { findMarked, type Marked } from './find-marked.ts';
export { type Journal, type JournalOptions, openJournal, type Step } from './journal.ts';
export { concernsRow, isBadValue, LookupUnclearError, OutcomeUnknownError, provesNothingDone } from './outcome.ts';
