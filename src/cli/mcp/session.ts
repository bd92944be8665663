/**
 * State of a session. The newer protocol version has no sessions over HTTP, so all requests of clients with the same name
 * share one.
 */
export interface Session {
  /** Number of consecutive refusals by the person, by method. */
  readonly refusals: Map<string, number>;
  /** Number of people that calls concerned since the last question about the method, by method. */
  readonly unasked: Map<string, number>;
}

export function createSession(): Session {
  return { refusals: new Map(), unasked: new Map() };
}
