import type { ApiError } from './errors/api-error.ts';

/** Result of a call by path. A failure that the service reports is returned as `error`, not thrown. */
export type PathResult<Data, Meta> =
  | {
      /** Payload without its envelope. `undefined` if no body is documented. */
      data: Data;
      /** Other fields of the envelope. `undefined` if none are documented. */
      meta: Meta;
      /** Always `undefined`, because the call succeeded. */
      error?: undefined;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    }
  | {
      /** Always `undefined`, because the call failed. */
      data?: undefined;
      /** Always `undefined`, because the call failed. */
      meta?: undefined;
      /** The failure that the service reported. Other errors are thrown. */
      error: ApiError;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    };
