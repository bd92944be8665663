import type { SpecOperation } from '../spec/model.ts';

/** One sample's operation and the example of its request. */
export interface SampleCase {
  /** Name of the example in the spec, or `undefined` if the operation has none. */
  example: string | undefined;
  /** The operation with only this example. */
  operation: SpecOperation;
}

/** One case for each named example of an operation's request, so that each sample has one call to copy. */
export function casesOf(operation: SpecOperation): SampleCase[] {
  const { body } = operation;
  const examples = Object.entries(body?.examples ?? {});
  if (!body || examples.length === 0) return [{ example: undefined, operation }];
  return examples.map(([name, example]) => ({
    example: name,
    operation: { ...operation, body: { ...body, examples: { [name]: example } } },
  }));
}
