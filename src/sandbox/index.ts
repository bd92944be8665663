/**
 * An embedded, stateful sandbox of the whole API that enforces the documented rules. It uses no Node API, so the same
 * code serves as a client's `fetch` in tests, as a server, and as an MSW handler in a browser.
 *
 * @module carillon-sandbox
 */

export type { OperationId } from '../../generated/types.ts';
export type { ControlOptions } from './control/access.ts';
export { createSandbox } from './create-sandbox.ts';
export type { FaultMatch } from './faults/fault-match.ts';
export type { Fault, FaultDelay, Faults, ListedFault } from './faults/faults.ts';
export { DroppedConnection } from './http/request-and-response.ts';
export type { LoggedRequest } from './log/logged-request.ts';
export type { RequestFilter, RequestLog } from './log/request-log.ts';
export type { SandboxState } from './products/state.ts';
export { choices } from './rules/choices.ts';
export { rules } from './rules/rules.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export type { Store, StoredArea, StoredChange, StoredRecord } from './store/store.ts';
export type { Clock, ClockState } from './world/clock.ts';
export type { Scenario, ScenarioName } from './world/scenarios/scenario.ts';
export type { SavedState, Snapshot, SnapshotInput } from './world/snapshots/snapshot.ts';
