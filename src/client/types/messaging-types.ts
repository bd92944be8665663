/**
 * Types and constants of messaging-app campaigns and web push.
 *
 * @module
 */
export * from '../../../generated/messaging/methods.ts';
export * from '../../../generated/messaging/models.ts';
export type { MessagingPaths, paths as MessagingSpecPaths } from '../../../generated/messaging/types.ts';
