import type { ApiError } from './errors/api-error.ts';

/** What a call by path answers with; a failure that the service answered is `error`, never an exception. */
export type PathResult<Data, Meta> =
  | {
      /** The payload, without its envelope; nothing where no body is documented. */
      data: Data;
      /** What stood beside the payload; nothing where nothing is documented. */
      meta: Meta;
      /** Nothing: the call succeeded. */
      error?: undefined;
      /** The answer: its status and headers. Its body has been read. */
      response: Response;
    }
  | {
      /** Nothing: the call failed. */
      data?: undefined;
      /** Nothing: the call failed. */
      meta?: undefined;
      /** What the service answered with; other errors are thrown. */
      error: ApiError;
      /** The answer: its status and headers. Its body has been read. */
      response: Response;
    };
