/**
 * An embedded, stateful sandbox of the whole API that enforces the documented rules. It uses no Node API, so the same
 * code serves as a client's `fetch` in tests, as a server, and as an MSW handler in a browser.
 *
 * @module carillon-sandbox
 */
export { choices } from './choices.ts';
export type { Clock, ClockState } from './clock.ts';
export type { ControlOptions } from './control-access.ts';
export { createSandbox } from './create-sandbox.ts';
export type { FaultMatch } from './fault-match.ts';
export type { Fault, FaultDelay, Faults, ListedFault } from './faults.ts';
export { DroppedConnection } from './http.ts';
export type { LoggedRequest } from './logged-request.ts';
export type { OperationId } from './operation-ids.ts';
export type { RequestFilter, RequestLog } from './request-log.ts';
export { rules } from './rules.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export type { Scenario } from './scenario.ts';
export type { ScenarioName } from './scenario-names.ts';
export type { SavedState, Snapshot, SnapshotInput } from './snapshot.ts';
export type { SandboxState } from './state.ts';
export type { Store, StoredArea, StoredChange, StoredRecord } from './store.ts';
