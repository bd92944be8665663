/** One batch, as callbacks see it. */
export interface Batch<Item> {
  /** Position of the batch, from 0. */
  index: number;
  /** Items of the batch. */
  items: Item[];
}

/** The outcome of one batch. */
export type BatchOutcome<Item, Result> = Batch<Item> &
  (
    | {
        /** It was processed. */
        status: 'done';
        /** What `run` returned. */
        result: Result;
      }
    | {
        /** Nothing of it was sent: it can be run again. */
        status: 'not-done';
        /** What `run` rejected with, or what stopped the run before this batch. */
        error: unknown;
      }
    | {
        /** It may have been processed: look before it is run again. If the service refused it, `error` says so. */
        status: 'unknown';
        /** The error of `run`, or the reason why the run stopped if `run` did not settle in time. */
        error: unknown;
      }
  );
