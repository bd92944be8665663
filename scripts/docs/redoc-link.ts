import type { SpecName } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';

/** Path of a spec's Redoc page. */
export function redocPath(name: SpecName): string {
  return `/redoc/${name}/`;
}

/** Address of an operation in its spec's Redoc page: `/redoc/crm/#/deals/updatedeal`. */
export function redocLink(operation: SpecOperation): string {
  return redocPath(operation.spec.name) + redocAnchor(operation);
}

/** Redoc's anchor of an operation: tag and operationId, in lower case. */
export function redocAnchor({ operation: { tags, operationId } }: SpecOperation): string {
  const tag = tags[0]?.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `#/${tag}/${operationId.toLowerCase()}`;
}
