/** Types and constants of the CRM: what `Crm.` contains. */
export * from '../../generated/crm/methods.ts';
export * from '../../generated/crm/models.ts';
export type { CrmPaths } from '../../generated/crm/paths.ts';
