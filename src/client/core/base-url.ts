import { ConfigError } from './errors/local-errors.ts';
import type { ClientOptions } from './options.ts';

/** Address of the service. */
export interface BaseUrl {
  /** The checked address, or the path that the option gave. */
  baseUrl: string;
  /**
   * The checked address, without a trailing slash.
   *
   * @throws {@link ConfigError} if a path cannot be resolved, or resolves to an unusable address
   */
  address(): string;
}

/**
 * Checks an address at once, but a path only at the first call. Frameworks also load the modules of a page on the server, where a
 * path cannot be resolved.
 *
 * @throws {@link ConfigError} if the address cannot be used
 */
export function readBaseUrl(options: ClientOptions): BaseUrl {
  const { baseUrl } = options;
  const isPath = isPagePath(baseUrl);
  let checked: string | undefined;
  const address = (): string => {
    // Append the path instead of resolving it, so that `//other-host` also stays on the origin of the page.
    checked ??= checkAddress(`${isPath ? globalThis.location?.origin : ''}${baseUrl}`, options);
    return checked;
  };
  return { baseUrl: isPath ? baseUrl : address(), address };
}

function isPagePath(baseUrl: string): boolean {
  return /^\//.test(baseUrl);
}

/** @param address - `baseUrl`, prefixed with the origin of the page if it is a path */
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
  // A custom fetch may keep requests in the page, and a local server keeps them on this machine.
  if ('document' in globalThis && auth && !('getToken' in auth) && !auth.allowBrowser && !fetch && !isLocal) {
    const name = 'apiKey' in auth ? 'apiKey' : 'clientSecret';
    throw new ConfigError(
      `Visitors of a page can read auth.${name}: use getToken with your own server, or set allowBrowser: true`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
