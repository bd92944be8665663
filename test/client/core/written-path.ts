import { createOpenapiClient, writeRequest } from '../../../src/client/core/openapi.ts';
import { readPath } from '../../../src/client/core/prepare.ts';
import type { Operation } from '../../../src/shared/operation.ts';

const baseUrl = 'https://api.example.com';
const client = createOpenapiClient(undefined);

/** The path with its values, as openapi-fetch writes it. */
export function writePath(
  operation: Pick<Operation, 'path' | 'record'>,
  values: Record<string, unknown>,
  place = '',
): string {
  const { path } = operation;
  const params = { path: readPath(operation, values, place), query: {} };
  const { request } = writeRequest(client, {
    method: 'GET',
    path,
    params,
    baseUrl,
    body: undefined,
    headers: undefined,
  });
  return request.url.slice(baseUrl.length);
}
