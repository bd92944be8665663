import { ConfigError } from './errors/local-errors.ts';
import type { ClientOptions } from './options.ts';

/** Where the service is. */
export interface BaseUrl {
  /** The checked address, or a path as the option gave it. */
  baseUrl: string;
  /**
   * The checked address, without a trailing slash.
   *
   * @throws {@link ConfigError} for a path that cannot be resolved, or that leads to an address that cannot be used
   */
  address(): string;
}

/**
 * Checks an address at once. A path waits for the first call: frameworks load the modules of a page on the server too, where a path has no
 * origin to resolve it on.
 *
 * @throws {@link ConfigError} for an address that cannot be used
 */
export function readBaseUrl(options: ClientOptions): BaseUrl {
  const { baseUrl } = options;
  const isPath = isPagePath(baseUrl);
  let checked: string | undefined;
  const address = (): string => {
    // A path is appended to the origin of the page, not resolved, so that `//other-host` stays on this origin too.
    checked ??= checkAddress(`${isPath ? globalThis.location?.origin : ''}${baseUrl}`, options);
    return checked;
  };
  return { baseUrl: isPath ? baseUrl : address(), address };
}

function isPagePath(baseUrl: string): boolean {
  return /^\//.test(baseUrl);
}

/** @param address - `baseUrl`, on the origin of the page if it is a path */
function checkAddress(address: string, { baseUrl, auth, fetch, allowInsecureHttp }: ClientOptions): string {
  const url = URL.canParse(address) && new URL(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const hint = isPagePath(baseUrl) ? '; a path works in a page, not on a server' : '';
    throw new ConfigError(`baseUrl must be an address such as https://api.example.com${hint}`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigError('baseUrl must not have a user name, password, query or fragment');
  }
  const isLocal = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && auth !== null && !allowInsecureHttp && !isLocal) {
    throw new ConfigError('baseUrl must use https to protect the credential, or set allowInsecureHttp: true');
  }
  // A custom fetch need not leave the page, and neither does a server on this machine.
  if ('document' in globalThis && auth && !('getToken' in auth) && !auth.allowBrowser && !fetch && !isLocal) {
    const name = 'apiKey' in auth ? 'apiKey' : 'clientSecret';
    throw new ConfigError(
      `Visitors of a page can read auth.${name}: use getToken with your own server, or set allowBrowser: true`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
