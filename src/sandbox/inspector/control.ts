import type { InspectedSandbox } from './interface.ts';

/** Thrown if the control token is missing or wrong. */
export class AccessError extends Error {}

/** Thrown if the sandbox cannot be reached, for example because its server has stopped. */
export class UnreachableError extends Error {}

/** Names that occur in the log and in faults, with their meanings. */
export interface About {
  operations: string[];
  /** Properties of a fault. */
  faultFields: Record<string, string>;
  rules: Record<string, string>;
  choices: Record<string, string>;
}

/**
 * Returns the base URL for control requests. A page with an opaque origin contains its own sandbox, which uses only the path.
 */
const base = (): string => (location.origin === 'null' ? 'http://localhost' : location.origin);

/** Sends control requests to a sandbox. */
export class Control {
  readonly #sandbox: InspectedSandbox;
  #about: Promise<About> | undefined;
  /** Name of the world to send in requests, or `undefined` to send none. */
  world: string | undefined;

  constructor(sandbox: InspectedSandbox) {
    this.#sandbox = sandbox;
  }

  /** Reads the names once, because they do not change while a sandbox runs. */
  async about(): Promise<About> {
    this.#about ??= this.send<About>('GET', 'about');
    try {
      return await this.#about;
    } catch (error) {
      this.#about = undefined;
      throw error;
    }
  }

  /**
   * @param command - path below `/__sandbox/`
   * @returns the parsed JSON body; `Result` is its type
   */
  async send<Result = void>(method: string, command: string, body?: object, signal?: AbortSignal): Promise<Result> {
    const headers: HeadersInit = this.world === undefined ? {} : { 'x-sandbox-world': encodeURIComponent(this.world) };
    const request = new Request(new URL(`/__sandbox/${command}`, base()), {
      method,
      headers,
      cache: 'no-store',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const response = await this.#sandbox.fetch(request).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new UnreachableError('The sandbox does not respond', { cause: error });
    });
    const text = await response.text();
    const result = text === '' ? undefined : JSON.parse(text);
    if (response.ok) return result;
    const message = String(result?.message ?? `Status ${response.status}`);
    throw response.status === 401 ? new AccessError(message) : new Error(message);
  }
}
