import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue } from '../../../scripts/spec/schema.ts';
import type { Fault } from '../../support/judge.ts';

/** The arguments of a call. */
export interface Call {
  path: Record<string, JsonValue>;
  query: Record<string, JsonValue>;
  body?: JsonValue;
}

/** A call that breaks one keyword at one place. */
export interface Violation extends Fault {
  title: string;
  call: Call;
  /** Place that other violations may share: the place itself, or the `anyOf` around it. */
  within: string[];
}

/** A limit that no call can break on the wire, with the reason and calls that show it. */
export interface Impossible {
  title: string;
  reason: string;
  /** Whether the client stops the calls, or the mock accepts them or reports another limit. */
  outcome: 'stopped by the client' | 'passes' | 'another limit is broken';
  calls: Call[];
}

export interface OperationCases {
  operation: SpecOperation;
  examples: { title: string; call: Call }[];
  requiredOnly: Call;
  violations: Violation[];
  impossible: Impossible[];
}
