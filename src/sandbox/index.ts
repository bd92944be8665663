/**
 * An embedded, stateful sandbox of the whole API, which knows every rule in the documents. It uses no API of Node: the
 * same code is a client's `fetch` in tests, a server, and an MSW handler in a browser. Needs `zod` and `hono`.
 *
 * @module carillon/sandbox
 */
export { choices } from './choices/choices.ts';
export type { Clock } from './clock.ts';
export { DroppedConnection } from './dropped-connection.ts';
export type { Fault, Faults } from './faults.ts';
export type { LoggedRequest, SandboxOptions } from './options.ts';
export { rules } from './rules.ts';
export { createSandbox, type Sandbox, type Snapshot } from './sandbox.ts';
export type { State } from './state/state.ts';
