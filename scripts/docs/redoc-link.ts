import type { SpecOperation } from '../spec/model.ts';

/** The address of an operation in the Redoc page of its spec: `/redoc/crm.html#/deals/updatedeal`. */
export function redocLink(operation: SpecOperation): string {
  return `/redoc/${operation.spec.name}.html${redocAnchor(operation)}`;
}

/** Redoc's anchor of an operation: tag and operationId, in lower case. */
export function redocAnchor({ operation: { tags, operationId } }: SpecOperation): string {
  const tag = tags[0]?.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `#/${tag}/${operationId.toLowerCase()}`;
}
