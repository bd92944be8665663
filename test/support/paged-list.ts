import { createProductContext } from '../../src/client/core/call.ts';
import { PagedList } from '../../src/client/core/list.ts';
import { prepareMethod } from '../../src/client/core/prepare.ts';
import { readSettings } from '../../src/client/core/settings.ts';
import type { OperationRecord, Paging } from '../../src/shared/operation.ts';

interface Options {
  paging: Paging;
  limit: number | undefined;
  offset: number;
  /** Body of the page at a position. */
  page(position: { limit: number | undefined; offset: number }): unknown;
  warn?(message: string): void;
  record?: Partial<OperationRecord>;
}

/** A list of a made-up operation, over a service in this process. */
export function pagedList<Item, Meta = undefined>({ paging, limit, offset, page, warn, record }: Options) {
  const settings = readSettings({
    baseUrl: 'https://api.example.com',
    auth: null,
    logger: { warn: warn ?? (() => undefined) },
    maxRetries: 0,
    fetch: async (url) => {
      const { searchParams } = new URL(url);
      const asked = searchParams.get('limit');
      const position = {
        limit: asked === null ? undefined : Number(asked),
        offset: Number(searchParams.get('offset')),
      };
      return Response.json(page(position));
    },
  });
  const operation = {
    method: 'GET',
    path: '/things',
    record: { id: 'listThings', method: 'things.list', payload: 'data', paging, ...record },
  };
  const product = createProductContext('', settings, { token: () => undefined });
  const prepared = prepareMethod(operation, [], pagedList);
  return new PagedList<Item, Meta>({ product, operation, paging, limit, offset, prepared });
}
