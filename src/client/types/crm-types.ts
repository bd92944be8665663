/**
 * Types and constants of the CRM.
 *
 * @module
 */
export * from '../../../generated/crm/methods.ts';
export * from '../../../generated/crm/models.ts';
export type { CrmPaths, paths as CrmSpecPaths } from '../../../generated/crm/types.ts';
