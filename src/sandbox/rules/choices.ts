import { maxBodySize, maxListed, maxNameLength, maxNesting, maxRecords } from '../limits.ts';
import { products } from '../products/products.ts';
import { defaultLimit } from './paging.ts';

/** Choices that apply to the operations of several products. */
const generalChoices = {
  'credential-rejected': 'A request without a valid credential gets status 401. The response is not documented.',
  'any-credential':
    'The sandbox accepts any bearer token unless it has API keys, and any client credentials unless it has client credentials.',
  'request-shape': `A request that does not match its schema gets status 422, the first ${maxListed} violations and their number. The response is not documented.`,
  'content-encoding':
    'A request whose body is compressed gets status 415. Whether the service accepts such a body is not documented.',
  'malformed-json': 'A request body that is not JSON gets status 400.',
  'body-nesting': `A request body that nests arrays and objects more than ${maxNesting} levels deep gets status 400, and is not processed.`,
  'body-size': `A request body of more than ${maxBodySize / 2 ** 20} MiB gets status 413, and is not processed.`,
  'unknown-record': 'A request for a record that does not exist gets status 404, even if this is not documented.',
  'unknown-operation':
    'An unknown path gets status 404. An unknown method on a known path gets 405. OPTIONS returns the methods of the path.',
  'too-many-worlds':
    'A request that needs a new world gets status 429 if the sandbox has reached its maximum number of worlds.',
  'store-failed':
    'A request whose change cannot be stored, such as on a full disk, gets status 507 and changes nothing.',
  'too-many-records': `A request gets status 507 and changes nothing if all worlds and snapshots of the sandbox would have more than ${maxRecords.toLocaleString('en-GB')} records.`,
  'world-name': `A request whose header names a world with more than ${maxNameLength} characters gets status 400.`,
  'own-fields':
    'A record whose shape is open keeps the fields that the spec does not describe, and returns them. The header `x-sandbox-ignored` names the other fields and parameters that were not read.',
  'unknown-field':
    'With the option `strict`, a request with a field or parameter that the spec does not describe gets status 422.',
  'utc-dates': 'All dates and times are in UTC. The time zone is not documented.',
  'dates-format': 'Dates in responses have the format `YYYY-MM-DD HH:MM:SS` if no format is documented.',
  'page-size': `A page of a messaging or email list has ${defaultLimit} entries if \`limit\` is missing or 0. A negative \`limit\` or \`offset\` gets status 422.`,
} as const;

/**
 * All decisions of the sandbox about behaviour that is not documented, by id. A response names the choices it depends on
 * in `x-sandbox-choice`.
 */
export const choices = join(generalChoices, products);

/** Id of a choice. */
export type AnyChoice = keyof typeof choices;

/** Choices for responses with a date. */
export const dateChoices = ['dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/** Joins choices. The declarations of the package have the ids, because they cannot refer to the resources. */
function join<General extends object, Products extends { readonly [name: string]: { choices: object } }>(
  general: General,
  products: Products,
): Readonly<Record<(keyof General | IdsOf<Products[keyof Products]['choices']>) & string, string>> {
  return Object.assign({}, general, ...Object.values(products).map((product) => product.choices));
}

type IdsOf<Choices> = Choices extends unknown ? keyof Choices : never;
