/**
 * The memory of a session. The newer protocol version has no sessions over HTTP, so all requests of a client, known by its name,
 * share one.
 */
export interface Session {
  /** How often in a row the person refused a method. */
  readonly refusals: Map<string, number>;
  /** Number of people, by method, whom calls concerned since the last question about the method. */
  readonly unasked: Map<string, number>;
}

export function createSession(): Session {
  return { refusals: new Map(), unasked: new Map() };
}
