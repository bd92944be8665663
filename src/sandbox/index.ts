/**
 * An embedded, stateful sandbox of the whole API, which knows every rule in the documents. It uses no API of Node: the
 * same code is a client's `fetch` in tests, a server, and an MSW handler in a browser. Needs `zod` and `hono`.
 *
 * @module carillon/sandbox
 */
export { choices } from './choices.ts';
export type { Clock } from './clock.ts';
export { createSandbox } from './create-sandbox.ts';
export { DroppedConnection, type Fault, type Faults } from './faults.ts';
export { rules } from './rules.ts';
export type { LoggedRequest, Sandbox, SandboxOptions, Snapshot } from './sandbox.ts';
export type { State } from './state.ts';
