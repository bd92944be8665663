import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type SpecName, specPath } from './files.ts';
import type { Example, OpenApi, OperationObject, Parameter, Response, Schema, Server } from './schema.ts';

export interface Spec {
  name: SpecName;
  file: string;
  openapi: OpenApi;
}

export interface SpecOperation {
  spec: Spec;
  /** Key in the client's tables: `GET /deals/{dealId}`. */
  key: string;
  method: string;
  path: string;
  /** Path of the operation's server without `{base_url}`: `/crm/v1`, or an empty string. */
  base: string;
  operationId: string;
  operation: OperationObject;
  parameters: Parameter[];
  body?: { schema: Schema; required: boolean; examples: Record<string, Example> };
  success: { status: string; response: Response; schema?: Schema; examples: Record<string, Example> };
}

const methods = ['get', 'put', 'post', 'delete'];

/**
 * YAML of a spec → the same as JSON. A process reads a spec often, and YAML takes a hundred times as long to parse as
 * JSON.
 */
const asJson = new Map<string, string>();

/** Reads one spec without validation, which is the lint's task. Each caller gets its own copy. */
export function loadSpec(name: SpecName, file = specPath(name)): Spec {
  const text = readFileSync(file, 'utf8');
  const json = asJson.get(text) ?? JSON.stringify(parse(text));
  asJson.set(text, json);
  return { name, file, openapi: JSON.parse(json) };
}

/** Follows a local `$ref`, or a chain of them. Returns any other value unchanged. */
export function resolve<T extends object>(openapi: OpenApi, node: T): T {
  let current: T & { $ref?: string } = node;
  for (let depth = 0; typeof current.$ref === 'string'; depth += 1) {
    if (depth > 20) throw new Error(`The reference ${current.$ref} leads back to itself`);
    current = lookUp(openapi, current.$ref);
  }
  return current;
}

/** The target of a JSON pointer (`#/components/schemas/Deal`) in a spec. Throws if the target does not exist. */
export function lookUp<T>(openapi: object, pointer: string): T {
  const parts = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
  let node: unknown = openapi;
  for (const part of parts) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) {
      throw new Error(`There is no value at ${pointer}`);
    }
    node = Reflect.get(node, key);
  }
  return node as T;
}

/** Every operation of a spec, in the file's order. */
export function listOperations(spec: Spec): SpecOperation[] {
  return Object.entries(spec.openapi.paths).flatMap(([path, item]) => {
    const shared = Array.isArray(item.parameters) ? item.parameters : [];
    return methods.flatMap((method) => {
      const operation = item[method];
      return operation && !Array.isArray(operation) ? [describe(spec, path, method, operation, shared)] : [];
    });
  });
}

function describe(
  spec: Spec,
  path: string,
  method: string,
  operation: OperationObject,
  shared: Parameter[],
): SpecOperation {
  const { openapi } = spec;
  const requestBody = operation.requestBody && resolve(openapi, operation.requestBody);
  const sent = requestBody?.content['application/json'];
  const status = Object.keys(operation.responses).find((code) => code.startsWith('2'));
  const reference = status && operation.responses[status];
  if (!status || !reference) throw new Error(`${operation.operationId} documents no success response`);
  const response = resolve(openapi, reference);
  const received = response.content?.['application/json'];
  const own = operation.parameters ?? [];
  return {
    spec,
    key: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    base: basePath(operation.servers?.[0] ?? openapi.servers[0]),
    operationId: operation.operationId,
    operation: withPaging(operation),
    parameters: mergeParameters(
      shared.map((parameter) => resolve(openapi, parameter)),
      own.map((parameter) => resolve(openapi, parameter)),
    ),
    ...(sent && {
      body: { schema: sent.schema, required: requestBody?.required ?? false, examples: sent.examples ?? {} },
    }),
    success: { status, response, ...(received && { schema: received.schema }), examples: received?.examples ?? {} },
  };
}

/** A parameter of an operation replaces that of its path with the same name and place. */
function mergeParameters(shared: Parameter[], own: Parameter[]): Parameter[] {
  const isReplaced = ({ name, in: place }: Parameter): boolean =>
    own.some((one) => one.name === name && one.in === place);
  return [...shared.filter((parameter) => !isReplaced(parameter)), ...own];
}

/** Removes `x-pagination: none`, which is on a list with paging fields that is not paged. */
function withPaging(operation: OperationObject): OperationObject {
  const { 'x-pagination': paging, ...facts } = operation;
  return typeof paging === 'string' ? facts : operation;
}

function basePath(server: Server | undefined): string {
  if (!server?.url.startsWith('{base_url}')) throw new Error('A server URL starts with {base_url}');
  return server.url.slice('{base_url}'.length).replace(/\/$/, '');
}
