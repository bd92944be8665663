import type { ApiError } from './errors/api-error.ts';

/** What a call by path answers with; a failure that the service answered is `error`, never an exception. */
export type PathResult<Data, Meta> =
  | {
      /** Payload without its envelope. `undefined` if no body is documented. */
      data: Data;
      /** What the envelope has beside the payload. `undefined` if nothing is documented. */
      meta: Meta;
      /** Always `undefined`: the call succeeded. */
      error?: undefined;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    }
  | {
      /** Always `undefined`: the call failed. */
      data?: undefined;
      /** Always `undefined`: the call failed. */
      meta?: undefined;
      /** The failure that the service reported. Other errors are thrown. */
      error: ApiError;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    };
