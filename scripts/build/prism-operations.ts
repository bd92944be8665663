import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import type { PrismOperation } from '../../src/mock/operation.ts';
import { specNames } from '../spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../spec/model.ts';

type LoadedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
type PrismRequest = NonNullable<LoadedOperation['request']>;

/** The dialect of OpenAPI 3.1. Without it, Prism uses draft 7, which has no `dependentRequired`. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Prism's operations of all specs, prefixed with their server's base path, which Prism omits. */
export async function loadPrismOperations(
  specs: Spec[] = specNames.map((name) => loadSpec(name)),
): Promise<PrismOperation[]> {
  const loaded = await Promise.all(specs.map(loadSpecOperations));
  return loaded.flat();
}

async function loadSpecOperations(spec: Spec): Promise<PrismOperation[]> {
  const bases = new Map(listOperations(spec).map(({ key, base }) => [key, base]));
  // Copied, because Prism resolves references in place.
  const openapi = { jsonSchemaDialect: dialect, ...structuredClone(spec.openapi) };
  const operations = await getHttpOperationsFromSpec(openapi);
  return operations.filter(hasMethod).map((operation) => {
    const base = bases.get(`${operation.method.toUpperCase()} ${operation.path}`) ?? '';
    const { request } = operation;
    const path = joinPath(base, operation.path);
    return { ...operation, base, path, ...(request && { request: explodeQuery(request) }) };
  });
}

/** Narrows the method: Prism types an operation's method as a string, but a request's method as a union. */
function hasMethod(operation: LoadedOperation): operation is LoadedOperation & Pick<PrismOperation, 'method'> {
  return ['get', 'put', 'post', 'delete'].includes(operation.method);
}

/** Removes doubled and trailing slashes from templates, as the router does for paths. */
function joinPath(...parts: string[]): string {
  return `/${parts.join('/').split('/').filter(Boolean).join('/')}`;
}

/** Sets the default of OpenAPI for lists in a query (`ids=1&ids=2`). Prism would expect `ids=1,2`. */
function explodeQuery(request: PrismRequest): PrismRequest {
  const query = request.query?.map((parameter) => ({ ...parameter, explode: true }));
  return { ...request, ...(query && { query }) };
}
