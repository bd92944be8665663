import { getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { listOperations, type Spec } from '../spec/model.ts';

type LoadedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
export type PrismOperation = LoadedOperation & { method: IHttpRequest['method'] };
type PrismRequest = NonNullable<LoadedOperation['request']>;

/** OpenAPI 3.1 means this dialect. Prism takes draft 7 when none is named, and that knows no `dependentRequired`. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Prism's operations of all specs, with the base path of their server before their own, which Prism leaves out. */
export async function loadOperations(specs: Spec[]): Promise<PrismOperation[]> {
  const loaded = await Promise.all(specs.map(loadSpecOperations));
  return loaded.flat();
}

async function loadSpecOperations(spec: Spec): Promise<PrismOperation[]> {
  const bases = new Map(listOperations(spec).map(({ key, base }) => [key, base]));
  // A copy, because Prism resolves references in place.
  const document = { jsonSchemaDialect: dialect, ...structuredClone(spec.document) };
  const operations = await getHttpOperationsFromSpec(document);
  return operations.filter(hasMethod).map((operation) => {
    const base = bases.get(`${operation.method.toUpperCase()} ${operation.path}`) ?? '';
    const { request } = operation;
    return { ...operation, path: joinPath(base, operation.path), ...(request && { request: explodeQuery(request) }) };
  });
}

/** Prism types the method of an operation as any string, and that of a request as these. */
function hasMethod(operation: LoadedOperation): operation is PrismOperation {
  return ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].includes(operation.method);
}

/** The router ignores doubled and trailing slashes, so the templates have none. */
function joinPath(...parts: string[]): string {
  return `/${parts.join('/').split('/').filter(Boolean).join('/')}`;
}

/** A list in a query repeats its name (`ids=1&ids=2`) unless the spec says otherwise; Prism takes `ids=1,2` instead. */
function explodeQuery(request: PrismRequest): PrismRequest {
  const query = request.query?.map((parameter) => ({
    ...parameter,
    explode: parameter.explode ?? parameter.style === 'form',
  }));
  return { ...request, ...(query && { query }) };
}
