/**
 * Types and constants of transactional email.
 *
 * @module
 */
export * from '../../../generated/email/methods.ts';
export * from '../../../generated/email/models.ts';
export type { EmailPaths, paths as EmailSpecPaths } from '../../../generated/email/types.ts';
