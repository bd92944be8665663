import type { Resource } from '../data/resource.ts';

const choices = {
  'token-request-incomplete': 'A token request without all three fields gets status 422.',
  'client-rejected': 'Unknown client credentials get status 401.',
} as const;

/**
 * Access tokens. They apply to all products, so their table is in the state of the sandbox.
 *
 * @internal
 */
export const token: Resource<object, typeof choices> = {
  tables: () => ({}),
  seed() {},
  choices,
};
