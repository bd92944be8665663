/**
 * A stateless mock of all operations, with Prism's engine.
 *
 * @module carillon-mock
 */

/** A mock that is ready or loading. */
export interface Mock {
  /**
   * Responds to a request like the global `fetch`. Only path, query, method, headers and body matter; the URL can have any
   * host.
   *
   * If a request violates the spec, the response is a problem document (RFC 9457) with the violations. Otherwise, the response
   * is the first documented example; the header `Prefer` requests another example, as in `Prefer: code=404`.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Resolves when Prism is loaded, which takes about half a second. Earlier requests wait until Prism is loaded. */
  readonly ready: Promise<void>;
}

/**
 * Creates a mock that runs in this process, without a server: for tests, MSW in Node, or the proxy of a dev server. The mock
 * requires Node. In a browser, use the sandbox, or set `baseUrl` to the URL of a running `npx carillon-mock`.
 *
 * @throws `TypeError` in a browser, and if options are passed
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
  'carillon-mock requires Node. In a browser, use createSandbox from carillon-sandbox, or set baseUrl to the URL of a running npx carillon-mock.';

/** Loads Prism on demand, so that an import of this module is fast. */
async function load() {
  const [{ mockOf }, { readOperations }] = await Promise.all([import('./create-mock.ts'), import('./operations.ts')]);
  return mockOf(readOperations());
}
