import { type Authorizer, createAuthorizer } from './core/authorizer.ts';
import { defined } from './core/envelope.ts';
import { ConfigError } from './core/errors/local-errors.ts';
import type { ClientOptions } from './core/options.ts';
import { readHeaders, readSettings, type Settings } from './core/settings.ts';
import { createClientCredentials } from './token.ts';

/** Options that decide where requests go and as whom: those of a client for its life. */
const fixedOptions = ['auth', 'baseUrl', 'allowInsecureHttp'] as const;

/** Options that `withOptions` can change: everything but where and as whom. */
export type DefaultOptions = Omit<Partial<ClientOptions>, 'auth' | 'baseUrl' | 'allowInsecureHttp'>;

/** A client whose defaults can be changed. */
export interface Configurable {
  /**
   * A client with other defaults over the same credential and token.
   *
   * @param options - what differs; headers are added to those that there are
   * @returns another client; this one stays as it is
   * @throws `ConfigError` for an option that cannot work, and for another `baseUrl` or `auth`: create a client for each account
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

/** Gives the parts of a client what they share, and `withOptions`. */
export function assemble<Parts extends object>(
  options: ClientOptions,
  makeParts: (settings: Settings, authorizer: Authorizer) => Parts,
): Parts & Configurable {
  const settings = readSettings(options);
  // Copied: a program may reuse the object for another account.
  const own = { ...options };
  const authorizer = createAuthorizer(own.auth, (auth) => createClientCredentials(auth, settings));
  const make = (current: ClientOptions, ready: Settings): Parts & Configurable => ({
    ...makeParts(ready, authorizer),
    withOptions(changes) {
      // An option that is undefined is inherited.
      const given: Partial<ClientOptions> = defined(changes ?? {});
      const fixed = fixedOptions.find((name) => name in given && given[name] !== own[name]);
      if (fixed) throw new ConfigError(`withOptions cannot change ${fixed}: create a client with createClient for it`);
      const headers = { ...ready.headers, ...readHeaders(given.headers) };
      const merged = { ...current, ...given, headers };
      return make(merged, readSettings(merged, ready));
    },
  });
  return make(own, settings);
}
