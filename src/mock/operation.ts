import type { getHttpOperationsFromSpec, IHttpRequest } from '@stoplight/prism-http';

type LoadedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** An operation in Prism's format, as JSON. */
export type PrismOperation = LoadedOperation & {
  method: IHttpRequest['method'];
  /** Beginning of the path, from the server URL in the spec: `/crm/v1`, or an empty string. */
  base: string;
};
