/** One batch, as passed to callbacks. */
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
        /** The batch was processed. */
        status: 'done';
        /** Result of `run`. */
        result: Result;
      }
    | {
        /** No part of the batch was sent. It can be run again. */
        status: 'not-done';
        /** Rejection of `run`, or the reason why the run stopped before this batch. */
        error: unknown;
      }
    | {
        /**
         * The batch may have been processed. Check the service before you run it again. If the service refused it, `error` says
         * so.
         */
        status: 'unknown';
        /** Rejection of `run`, or the reason why the run stopped if `run` did not settle in time. */
        error: unknown;
      }
  );
