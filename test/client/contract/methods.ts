import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue } from '../../../scripts/spec/schema.ts';
import type { Call, Client, List, MethodOptions } from '../../../src/client/index.ts';
import { isObject } from '../../support/json-value.ts';
import type { Call as WireCall } from './case-types.ts';
import { takesParams } from './flat.ts';

type Result = Call<unknown, unknown> | List<unknown, unknown>;

/** Calls an operation through its method, as named by `x-sdk`. */
export function callMethod(
  client: Client,
  operation: SpecOperation,
  params: object,
  options: MethodOptions = {},
): Result {
  const method = methodAt(client, operation);
  return takesParams(operation) ? method(params, options) : method(options);
}

export function placeOf({ operation }: SpecOperation): string {
  const sdk = operation['x-sdk'];
  return typeof sdk === 'string' ? sdk : sdk.method;
}

export function isList(result: Result): result is List<unknown, unknown> {
  return Symbol.asyncIterator in result;
}

function methodAt(client: Client, operation: SpecOperation): (...args: object[]) => Result {
  const place = placeOf(operation);
  let node: unknown = client[operation.spec.name];
  for (const name of place.split('.')) {
    node = typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined;
  }
  if (typeof node !== 'function') throw new Error(`${operation.key} has no method ${place}`);
  const method = node;
  return (...args) => method(...args);
}

/** Places of all methods of a part of the client, without the path functions. */
export function listMethods(node: object, place: string[] = []): string[] {
  return Object.entries(node).flatMap(([name, member]) => {
    if (typeof member === 'object' && member !== null) return listMethods(member, [...place, name]);
    return place.length === 0 && name === name.toUpperCase() ? [] : [[...place, name].join('.')];
  });
}

/** A parameter of the query as OpenAPI writes it: the items of its list, or its text. */
function written(name: string, value: JsonValue): string[][] {
  return [value].flat().map((item) => [name, String(item)]);
}

/** The request that a method sends for a call, with the documented page size unless the call has one. */
export function expectedRequest(operation: SpecOperation, { path, query, body }: WireCall) {
  const paging = operation.operation['x-pagination'];
  const size = paging?.maximum === undefined ? {} : { [paging.limit]: paging.maximum };
  const inQuery: Record<string, JsonValue> = { ...query, ...(paging?.in === 'query' && { ...size, ...query }) };
  const given = isObject(body) ? body : {};
  const inBody = { ...given, ...(paging?.in === 'body' && { ...size, ...given }) };
  return {
    method: operation.method,
    path: operation.base + operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name]))),
    query: Object.entries(inQuery).flatMap(([name, value]) => written(name, value)),
    // A method without body fields sends no body.
    body: Object.keys(inBody).length > 0 ? JSON.stringify(inBody) : undefined,
  };
}
