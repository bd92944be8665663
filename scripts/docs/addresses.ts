import type { SpecName } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';

/** Paths of pages on the site. The sandbox's page links to rules and choices by the same paths. */
export const pagePaths = {
  errors: '/reference/errors/',
  rules: '/reference/rules/',
  gaps: '/reference/not-documented/',
  unsupported: '/reference/cannot/',
  methods: '/reference/methods/',
  downloads: '/reference/downloads/',
  benchmarks: '/project/benchmarks/',
  documents: '/project/documents/',
  changelog: '/project/changelog/',
} as const;

/** `crm.deals.create` */
export function methodOf(operation: SpecOperation): string {
  return `${operation.spec.name}.${sdkOf(operation).method}`;
}

/** `crm.deals.changePipeline` → `/crm/deals/change-pipeline/` */
export function operationPath(operation: SpecOperation): string {
  return `/${methodOf(operation).split('.').map(kebab).join('/')}/`;
}

export function guidePath(name: string): string {
  return `/guides/${name}/`;
}

export function rulePath(id: string): string {
  return `${pagePaths.rules}#${id}`;
}

export function codePath(code: string): string {
  return `${pagePaths.errors}#${code}`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

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
