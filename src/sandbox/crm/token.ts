import type { Resource } from '../data/resource.ts';

const choices = {
  'token-request-incomplete':
    'A token request returns status 422 if `grant_type`, `client_id` or `client_secret` is missing.',
  'client-rejected': 'A token request with unknown client credentials returns status 401.',
} as const;

/**
 * Access tokens. A token is valid for all products, so the table of tokens is in the state of the sandbox.
 *
 * @internal
 */
export const token: Resource<object, typeof choices> = {
  tables: () => ({}),
  seed() {},
  choices,
};
