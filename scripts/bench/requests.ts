import { listOperations, loadSpec, type SpecOperation } from '../spec/model.ts';

/** A documented example request that both the sandbox's data set and Prism answer. */
export interface BenchRequest {
  /** Name of the example. */
  name: string;
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
  const [request] = requestsOf(operationId);
  if (!request) throw new Error(`${operationId} has no example`);
  return request;
}

/** Every documented request of an operation, one for each example of its body. */
function requestsOf(operationId: string): BenchRequest[] {
  const operation = findOperation(operationId);
  const { method, base, body } = operation;
  const request = { name: operation.operation.summary, method, base, path: fillPath(operation) };
  if (!body) return [request];
  return Object.values(body.examples).map(({ summary, value }) => ({
    ...request,
    name: summary ?? request.name,
    body: JSON.stringify(value),
  }));
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
