/**
 * A stateless mock of all operations, with Prism's engine.
 *
 * @module carillon-mock
 */

/** A mock that is ready or loading. */
export interface Mock {
  /**
   * Responds to a request like the global `fetch`. Only path, query, method, headers and body matter: the host can be any.
   *
   * A request that breaks the spec gets a problem document (RFC 9457) with all violations. Other requests get the first
   * documented example; the header `Prefer` requests another one, as in `Prefer: code=404`.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Resolves when Prism is loaded, which takes about half a second. A request before that waits for it. */
  readonly ready: Promise<void>;
}

/**
 * Creates a mock that runs in this process, without a server: for tests, MSW in Node, or the proxy of a dev server. It needs
 * Node. In a browser, use the sandbox, or set `baseUrl` to a running `npx carillon-mock`.
 *
 * @throws `TypeError` in a browser, and if it gets options
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createMock } from 'carillon-mock';
 *
 * const { fetch } = createMock();
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch });
 * console.log(await api.crm.deals.get({ dealId: 501 }));
 * ```
 */
export function createMock(): Mock;
export function createMock(...given: unknown[]): Mock {
  if (given[0] !== undefined) throw new TypeError('createMock takes no options');
  if (typeof process === 'undefined' || process.versions.node === undefined) throw new TypeError(needsNode);
  const loading = load();
  const ready = loading.then(() => undefined);
  // A request reports why Prism could not be loaded.
  ready.catch(() => undefined);
  return { ready, fetch: async (input, init) => (await loading).fetch(input, init) };
}

const needsNode =
  'carillon-mock needs Node. In a browser, use createSandbox of carillon-sandbox, or set baseUrl to the address of npx carillon-mock.';

/** Loads Prism on demand, so that an import of this module is fast. */
async function load() {
  const [{ mockOf }, { readOperations }] = await Promise.all([import('./create-mock.ts'), import('./operations.ts')]);
  return mockOf(readOperations());
}
