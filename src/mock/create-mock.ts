import { Router } from '../shared/router.ts';
import { type Ask, createPrism } from './ask-prism.ts';
import { InvalidMediaTypeError, MalformedJsonError, readInput } from './input.ts';
import type { PrismOperation } from './operation.ts';
import { reject, respond, respondUnrouted } from './responses.ts';

/** A loaded mock. */
export interface LoadedMock {
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Number of operations. */
  readonly size: number;
}

/** A stateless mock that validates requests and returns documented examples. */
export function mockOf(operations: readonly PrismOperation[]): LoadedMock {
  const router = new Router(operations.map(toTarget));
  const bases = new Set(operations.map(({ base }) => base));
  const ask = createPrism();

  /** Returns the path with the base path of a spec, if the caller omitted the base path. */
  function findUnderBase(method: string, pathname: string): string | undefined {
    return [...bases].map((base) => base + pathname).find((path) => router.find(method, path) !== undefined);
  }

  async function respondTo(request: Request): Promise<Response> {
    const { method } = request;
    const { pathname } = new URL(request.url);
    const lacking = router.findLacking(method, pathname);
    const found = lacking ? undefined : router.find(method, pathname);
    if (found && 'target' in found) return respondByPrism(ask, request, found.target.operation, found.path);
    const hint = lacking || found ? undefined : findUnderBase(method, pathname);
    return respondUnrouted(method, pathname, {
      ...(lacking && { lacking: { name: lacking.name, template: lacking.target.route.path } }),
      ...found,
      ...(hint !== undefined && { hint }),
    });
  }

  return {
    size: operations.length,
    async fetch(input, init) {
      // Servers and MSW have their own Request classes. A copy of a request cannot have a method such as TRACE, which a server
      // can receive.
      const request = init === undefined && isRequest(input) ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respondTo(request);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

function isRequest(input: Request | string | URL): input is Request {
  return typeof input === 'object' && !(input instanceof URL);
}

/** Prism checks the types of path values itself, so the router accepts any string as a value. */
export function toTarget(operation: PrismOperation) {
  return { operation, route: { method: operation.method.toUpperCase(), path: operation.path, numbers: [] } };
}

async function respondByPrism(
  ask: Ask,
  request: Request,
  operation: PrismOperation,
  values: Readonly<Record<string, string | number>>,
): Promise<Response> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  try {
    return respond(await ask(await readInput(request, operation, path), operation));
  } catch (error) {
    if (error instanceof MalformedJsonError) {
      return reject(400, [{ location: ['body'], message: error.message, code: 'malformed-json' }]);
    }
    if (error instanceof InvalidMediaTypeError) {
      return reject(415, [
        { location: ['header', error.header], message: error.message, code: 'unsupported-media-type' },
      ]);
    }
    throw error;
  }
}
