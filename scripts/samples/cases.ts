import type { SpecOperation } from '../spec/model.ts';

/** What one sample shows: the operation with one example of its request. */
export interface SampleCase {
  /** Name of the example in the spec; `undefined` if the operation has none. */
  example: string | undefined;
  /** The operation, with this example alone. */
  operation: SpecOperation;
}

/** The cases of an operation: one for each named example of its request. Copying a sample never copies two calls. */
export function casesOf(operation: SpecOperation): SampleCase[] {
  const { body } = operation;
  const examples = Object.entries(body?.examples ?? {});
  if (!body || examples.length === 0) return [{ example: undefined, operation }];
  return examples.map(([name, example]) => ({
    example: name,
    operation: { ...operation, body: { ...body, examples: { [name]: example } } },
  }));
}
