import type { getHttpOperationsFromSpec, IHttpRequest } from '@stoplight/prism-http';

type LoadedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** An operation in Prism's form, as JSON. */
export type PrismOperation = LoadedOperation & {
  method: IHttpRequest['method'];
  /** The beginning of its path, which is that of its server: `/crm/v1`, or an empty string. */
  base: string;
};
