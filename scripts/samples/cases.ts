import type { SpecOperation } from '../spec/model.ts';

/** One sample's operation and the example of its request. */
export interface SampleCase {
  /** Name of the example in the spec, or `undefined` if the operation has none. */
  example: string | undefined;
  /** The operation with only this example. */
  operation: SpecOperation;
}

/**
 * One case for each named example of an operation's request, so that each sample has one call to copy. Optional days and
 * periods are left out: a reader who runs the sample later would get an empty list.
 */
export function casesOf(given: SpecOperation): SampleCase[] {
  const parameters = given.parameters.filter(({ required, example }) => required || !isDate(example));
  const operation = { ...given, parameters };
  const { body } = operation;
  const examples = Object.entries(body?.examples ?? {});
  if (!body || examples.length === 0) return [{ example: undefined, operation }];
  return examples.map(([name, example]) => ({
    example: name,
    operation: { ...operation, body: { ...body, examples: { [name]: example } } },
  }));
}

/** Whether an example is a day or a time. */
export function isDate(example: unknown): boolean {
  return typeof example === 'string' && /^\d{4}-\d\d-\d\d/.test(example);
}
