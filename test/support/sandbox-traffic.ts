import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';
import { deriveCases } from '../client/contract/cases.ts';
import { callPath, freshSandbox } from '../client/contract/sandbox.ts';

/** A reply as a learner sees it. */
export interface Seen {
  operationId: string;
  status: number;
  body: unknown;
}

export const allOperations: readonly SpecOperation[] = specNames.flatMap((name) => listOperations(loadSpec(name)));

let traffic: Promise<Seen[]> | undefined;

/** Replies of the seeded sandbox to each example of each operation, and to one request without a credential. */
export function sandboxTraffic(): Promise<Seen[]> {
  traffic ??= collect();
  return traffic;
}

async function collect(): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const operation of allOperations) {
    const { operationId } = operation;
    const { examples } = deriveCases(operation);
    for (const [index, { call }] of examples.entries()) {
      const { response, body } = await callPath(freshSandbox(operation), operation, call);
      seen.push({ operationId, status: response.status, body });
      if (index > 0) continue;
      const refused = await callPath(freshSandbox(operation, { auth: null }), operation, call);
      if (!refused.response.ok) seen.push({ operationId, status: refused.response.status, body: refused.body });
    }
  }
  return seen;
}
