import type { FetchHandler } from '../../../src/shared/server/handler.ts';
import { specNames } from '../../spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../spec/model.ts';
import { InvalidMediaTypeError, MalformedJsonError, readInput } from './input.ts';
import { type Ask, createPrism } from './prism.ts';
import { loadOperations, type PrismOperation } from './prism-operations.ts';
import { refuse, respond, respondUnrouted } from './responses.ts';
import { createRouter } from './router.ts';

export interface Mock extends FetchHandler {
  fetch(request: Request): Promise<Response>;
  /** Number of operations that it answers. */
  size: number;
}

/** A stateless mock of all specs. It validates requests and returns documented examples. */
export async function createMock(specs: Spec[] = specNames.map((name) => loadSpec(name))): Promise<Mock> {
  const operations = await loadOperations(specs);
  const bases = new Set(specs.flatMap(listOperations).map(({ base }) => base));
  const router = createRouter(operations);
  const ask = createPrism();

  /** The path prefixed with a spec's base path, if the caller omitted it. */
  function findUnderBase(method: string, pathname: string): string | undefined {
    return [...bases].map((base) => base + pathname).find((path) => router.find(method, path).kind !== 'unknown');
  }

  return {
    size: operations.length,
    async fetch(request) {
      const { method } = request;
      const { pathname } = new URL(request.url);
      const match = router.find(method, pathname);
      const response =
        match.kind === 'operation'
          ? await answer(ask, request, match.operation, match.path)
          : respondUnrouted(method, pathname, match, findUnderBase(method, pathname));
      return method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

async function answer(ask: Ask, request: Request, operation: PrismOperation, path: string): Promise<Response> {
  try {
    return respond(await ask(await readInput(request, operation, path), operation));
  } catch (error) {
    if (error instanceof MalformedJsonError) {
      return refuse(400, [{ location: ['body'], message: error.message, code: 'malformed-json' }]);
    }
    if (error instanceof InvalidMediaTypeError) {
      return refuse(415, [
        { location: ['header', 'Content-Type'], message: error.message, code: 'unsupported-media-type' },
      ]);
    }
    throw error;
  }
}
