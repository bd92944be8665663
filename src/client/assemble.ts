import type { Product } from '../../generated/products.ts';
import type { OperationTable } from '../shared/operation.ts';
import type { Authorizer } from './core/authorizer.ts';
import { defined } from './core/check-options.ts';
import { hide, inspect } from './core/errors/base.ts';
import { ConfigError } from './core/errors/local-errors.ts';
import type { ClientOptions } from './core/options.ts';
import { type ClientSettings, readHeaders, readSettings } from './core/settings.ts';
import { createAuthorizer } from './token.ts';

/** Options that determine the address and the account. They cannot change during the life of a client. */
const fixedOptions = ['auth', 'baseUrl', 'allowInsecureHttp'] as const;

/** Options that `withOptions` can change: all except those that determine the address and the account. */
export type DefaultOptions = Omit<Partial<ClientOptions>, 'auth' | 'baseUrl' | 'allowInsecureHttp'>;

/** A client whose defaults can be changed. */
export interface Configurable {
  /**
   * Creates a client with other defaults. Both clients share the credential and the token.
   *
   * @param options - options to change; headers are added to the existing ones
   * @returns a new client; the original client does not change
   * @throws `ConfigError` if an option is invalid, or if `auth`, `baseUrl` or `allowInsecureHttp` differs (create a client for
   * each account instead)
   * @example
   * ```ts
   * import { createClient } from 'carillon';
   *
   * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
   * const patient = api.withOptions({ timeout: 300_000, headers: { 'x-job': 'nightly' } });
   * console.log(await patient.crm.users.list());
   * ```
   */
  withOptions(options: DefaultOptions): this;
}

/**
 * Creates one client for each product. The caller specifies the types of the clients, which are generated from the same list of
 * products.
 *
 * @internal
 */
export function mapProducts<Clients extends Readonly<Record<Product, object>>>(
  tables: Readonly<Record<Product, OperationTable>>,
  make: (table: OperationTable) => object,
): Clients {
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, make(table)])) as Clients;
}

/**
 * Creates a client whose members share settings and an authorizer, and adds `withOptions`.
 *
 * @internal
 */
export function assemble<Members extends object>(
  options: ClientOptions,
  makeMembers: (settings: ClientSettings, authorizer: Authorizer) => Members,
): Members & Configurable {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError("A client needs options: { baseUrl: 'https://api.example.com', auth: { apiKey } }");
  }
  // Copy the options, because a program may reuse the object for another account. Inherited properties are not options.
  const own = { ...options };
  const settings = readSettings(own);
  const authorizer = createAuthorizer(own.auth, settings);
  const make = (current: ClientOptions, ready: ClientSettings): Members & Configurable => {
    const made: Members & Configurable = { ...makeMembers(ready, authorizer), withOptions };
    // For Node's `console.log`, which would show hundreds of functions.
    hide(made, inspect, () => `Client { ${ready.baseUrl} }`);
    return made;

    function withOptions(changes: DefaultOptions): Members & Configurable {
      if (typeof changes !== 'object' || changes === null) throw new ConfigError('withOptions needs an options object');
      // Undefined options are inherited.
      const given: Partial<ClientOptions> = defined(changes);
      const fixed = fixedOptions.find((name) => name in given && given[name] !== own[name]);
      if (fixed)
        throw new ConfigError(
          `withOptions cannot change the option '${fixed}': create another client with createClient instead`,
        );
      const headers = { ...ready.headers, ...readHeaders(given.headers) };
      const merged = { ...current, ...given, headers };
      return make(merged, readSettings(merged, ready));
    }
  };
  return make(own, settings);
}
