import { maxBodySize, maxListed, maxNameLength, maxNesting, maxRecords } from '../limits.ts';
import { products } from '../products/products.ts';
import { defaultLimit } from './paging.ts';

/** Choices that apply to the operations of several products. */
const generalChoices = {
  'credential-rejected': 'A request without a valid credential returns status 401. The response is not documented.',
  'any-credential':
    'Unless API keys are configured, the sandbox accepts any bearer token. Unless client credentials are configured, the sandbox accepts any client credentials.',
  'request-shape': `A request that does not match its schema returns status 422, with the first ${maxListed} violations and the total number of violations. The response is not documented.`,
  'content-encoding':
    'A request with a compressed body returns status 415. Whether the service accepts a compressed body is not documented.',
  'malformed-json': 'A request whose body is not JSON returns status 400.',
  'body-nesting': `A request whose body nests arrays and objects more than ${maxNesting} levels deep returns status 400 and is not processed.`,
  'body-size': `A request with a body of more than ${maxBodySize / 2 ** 20} MiB returns status 413 and is not processed.`,
  'unknown-record':
    'A request for a record that does not exist returns status 404, even if this response is not documented.',
  'unknown-operation':
    'A request to an unknown path returns status 404. A request with an unknown method to a known path returns status 405. An OPTIONS request returns the methods that the path supports.',
  'too-many-worlds':
    'A request that would create a world returns status 429 if the sandbox has reached its maximum number of worlds.',
  'store-failed':
    'A request whose change cannot be stored, for example because the disk is full, returns status 507 and changes nothing.',
  'world-deleted':
    'A delayed request returns status 409 if its world is deleted during the delay. The next request with the same key creates a new world.',
  'too-many-records': `A request returns status 507 and changes nothing if all worlds and snapshots of the sandbox together would then have more than ${maxRecords.toLocaleString('en-GB')} records.`,
  'world-name': `A request returns status 400 if the world name in its header has more than ${maxNameLength} characters.`,
  'own-fields':
    'A record that permits undeclared fields keeps fields that the spec does not describe, and responses contain these fields. The response header `x-sandbox-ignored` names all other fields and parameters that the sandbox did not read.',
  'unknown-field':
    'With the option `strict`, a request with a field or parameter that the spec does not describe returns status 422.',
  'utc-dates': 'All dates and times are in UTC. The time zone is not documented.',
  'dates-format': 'Dates in responses have the format `YYYY-MM-DD HH:MM:SS` if no format is documented.',
  'page-size': `A page of a messaging or email list has ${defaultLimit} items if \`limit\` is missing or 0. A negative \`limit\` or \`offset\` is rejected with status 422.`,
} as const;

/**
 * All decisions of the sandbox about behaviour that is not documented, by ID. A response names the choices on which it depends
 * in `x-sandbox-choice`.
 */
export const choices = join(generalChoices, products);

/** ID of a choice. */
export type AnyChoice = keyof typeof choices;

/** Choices for responses with a date. */
export const dateChoices = ['dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/**
 * Joins choices. The return type contains only the IDs, because the declarations of the package cannot refer to the resources.
 */
function join<General extends object, Products extends { readonly [name: string]: { choices: object } }>(
  general: General,
  products: Products,
): Readonly<Record<(keyof General | IdsOf<Products[keyof Products]['choices']>) & string, string>> {
  return Object.assign({}, general, ...Object.values(products).map((product) => product.choices));
}

type IdsOf<Choices> = Choices extends unknown ? keyof Choices : never;
