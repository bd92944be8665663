import { ArgumentError, type Call, type Client, type List, type MethodOptions } from 'carillon';
import { isRecord } from '../../shared/is-record.ts';
import { checkParams, type Params } from './check-names.ts';
import { fieldsOf, takesOtherFields } from './fields.ts';
import { findMethod, type Method } from './methods.ts';

/**
 * Calls a client method by name. A list method returns its first page; see {@link listMethod} for all pages.
 *
 * @param client - the client that sends the request
 * @param name - property path of the method in the client, such as `crm.contacts.list`
 * @param params - path, query and body fields in one object, not encoded, as the method takes them
 * @param options - options of the call, such as `signal`
 * @throws `ArgumentError` if the method does not exist, or if a parameter is missing or unknown; no request was sent
 */
export function callMethod(
  client: Client,
  name: string,
  params: Params = {},
  options?: MethodOptions,
): Call<unknown, unknown> {
  return start(client, methodNamed(name), params, options) as Call<unknown, unknown>;
}

/**
 * Calls a method that returns pages.
 *
 * @throws `ArgumentError` in the same cases as {@link callMethod}, and if the method returns no pages
 */
export function listMethod(
  client: Client,
  name: string,
  params: Params = {},
  options?: MethodOptions,
): List<unknown, unknown> {
  const method = methodNamed(name);
  if (!method.paging) throw new ArgumentError(`${name} returns no pages; nothing was sent`);
  return start(client, method, params, options) as List<unknown, unknown>;
}

function methodNamed(name: string): Method {
  const method = findMethod(name);
  if (!method) throw new ArgumentError(`There is no method ${name}; nothing was sent`);
  return method;
}

/** Starts a call. The generator creates names, parameters and client methods from the same operations, so the method exists. */
function start(client: Client, method: Method, params: Params, options: MethodOptions | undefined): unknown {
  const problems = checkParams(method, params);
  if (problems.length > 0) throw new ArgumentError(`${problems.join(' ')} Nothing was sent.`);
  let node: unknown = client;
  for (const word of method.words)
    node = typeof node === 'object' && node !== null ? Reflect.get(node, word) : undefined;
  if (typeof node !== 'function') throw new ArgumentError(`This client has no method ${method.name}; nothing was sent`);
  const isBare = fieldsOf(method).length === 0 && takesOtherFields(method) === undefined;
  return isBare ? node(options) : node(withBytes(method, params), options);
}

/**
 * Converts file contents from strings to bytes. The command line and agents pass strings, but methods take bytes, so that no
 * content is encoded twice.
 */
function withBytes(method: Method, params: Params): Params {
  const converted = fieldsOf(method).flatMap(({ name, encoding }): [string, unknown][] => {
    const value = params[name];
    if (encoding === 'base64') return [[name, bytesOf(value)]];
    if (encoding !== 'base64Map' || !isRecord(value)) return [];
    return [[name, Object.fromEntries(Object.entries(value).map(([file, content]) => [file, bytesOf(content)]))]];
  });
  return { ...params, ...Object.fromEntries(converted.filter(([name]) => Object.hasOwn(params, name))) };
}

function bytesOf(content: unknown): unknown {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
