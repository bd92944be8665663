import type { SpecName } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';

/** The address of the Redoc page of a spec. */
export function redocPath(name: SpecName): string {
  return `/redoc/${name}/`;
}

/** The address of an operation in the Redoc page of its spec: `/redoc/crm/#/deals/updatedeal`. */
export function redocLink(operation: SpecOperation): string {
  return redocPath(operation.spec.name) + redocAnchor(operation);
}

/** Redoc's anchor of an operation: tag and operationId, in lower case. */
export function redocAnchor({ operation: { tags, operationId } }: SpecOperation): string {
  const tag = tags[0]?.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `#/${tag}/${operationId.toLowerCase()}`;
}
