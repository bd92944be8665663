import type { SpecOperation } from '../spec/model.ts';

/** The address of an operation in the Redoc page of its spec. */
export function redocLink({ spec, operation: { tags, operationId } }: SpecOperation): string {
  const tag = tags[0]?.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `/redoc/${spec.name}/#/${tag}/${operationId.toLowerCase()}`;
}
