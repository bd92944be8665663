import { listOperations, loadSpec, type SpecOperation } from '../spec/model.ts';

/** A documented example request that succeeds in the sandbox's data set and with Prism. */
export interface BenchRequest {
  method: string;
  /** Base path of the operation's server, such as `/crm/v1`. */
  base: string;
  path: string;
  body?: string;
}

export const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };

const operations = listOperations(loadSpec('crm'));

/** The first documented request of an operation. */
export function requestOf(operationId: string): BenchRequest {
  const operation = findOperation(operationId);
  const { method, base, body } = operation;
  const request = { method, base, path: fillPath(operation) };
  if (!body) return request;
  const [example] = Object.values(body.examples);
  if (!example) throw new Error(`${operationId} has no example`);
  return { ...request, body: JSON.stringify(example.value) };
}

export function findOperation(operationId: string): SpecOperation {
  const operation = operations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`No operation is called ${operationId}`);
  return operation;
}

function fillPath({ path, parameters }: SpecOperation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return encodeURIComponent(String(example));
  });
}
