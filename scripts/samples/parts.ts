import { quotaText } from '../generate/method-docs.ts';
import type { SpecOperation } from '../spec/model.ts';

/**
 * Writes a part of a sample for each named example of the request. If there are several, the summary of its example
 * precedes each part. Without a body, there is one part.
 *
 * @param comment - the characters that begin a comment
 * @param write - called with the operation, reduced to one example
 */
export function joinParts(
  operation: SpecOperation,
  comment: string,
  write: (operation: SpecOperation, index: number) => string,
): string {
  const examples = Object.entries(operation.body?.examples ?? {});
  if (examples.length < 2) return write(operation, 0);
  const parts = examples.map(([name, example], index) => {
    const part = write(withExample(operation, name), index);
    return `${comment} ${example.summary ?? name}\n${part}`;
  });
  const quota = operation.operation['x-rate-limit'];
  if (quota && examples.length > quota.requests) {
    parts.unshift(`${comment} ${quotaText(quota)}\n${comment} Leave that time between these calls.`);
  }
  return parts.join('\n\n');
}

function withExample({ body, ...operation }: SpecOperation, name: string): SpecOperation {
  const example = body?.examples[name];
  return body && example ? { ...operation, body: { ...body, examples: { [name]: example } } } : operation;
}

/** The default address in the spec. */
export function defaultBaseUrl({ operationId, operation, spec }: SpecOperation): string {
  const [server] = operation.servers ?? spec.document.servers;
  const address = server?.variables?.base_url?.default;
  if (!address) throw new Error(`${operationId}: its server has no default for {base_url}`);
  return address;
}

/** Whether requests of the operation carry no credential. */
export function isAnonymous({ operation }: SpecOperation): boolean {
  return operation.security?.length === 0;
}

/** Environment variables that the samples read. */
export const environment = { apiKey: 'CARILLON_API_KEY', baseUrl: 'CARILLON_BASE_URL' } as const;
