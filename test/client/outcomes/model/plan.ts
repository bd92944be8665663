import fc from '../../../fast-check.ts';
import type { PlannedResponse } from './service.ts';
import { type Spread, spreads } from './spreading-tokens.ts';

/** A call: its kind, and the service's responses to its requests. */
export interface PlannedCall {
  kind: 'GET' | 'POST' | 'PUT' | 'DELETE';
  responses: PlannedResponse[];
}

/** The behaviour of a hook. */
export type HookBehaviour = 'returns' | 'throws' | 'never ends';

/** A request that a wrapper makes. */
export interface Hop {
  /** Whether its connection is refused. */
  refused: boolean;
  /** In whose context it is created: that of the call itself (0), of the call before (1), after (-1), and so on, or of none. */
  from: number;
}

/** Requests of a wrapper for one call of `fetch`: it sends the request once, and something else before or after it. */
export interface Wrapped {
  auditBefore: Hop | undefined;
  own: Hop;
  /** The same request to a second address, if the first is refused. */
  failover: Hop | undefined;
  /** Its failure is that of the call. */
  auditAfter: Hop | undefined;
}

/** Calls of one client, with all faults around them. */
export interface Plan {
  calls: PlannedCall[];
  /** One after another, or together. */
  mode: 'in turn' | 'together';
  /**
   * How the client connects: with the platform's `fetch`, with the same and a dispatcher that refuses connections, a trusted `fetch`
   * of one hop, an untrusted one of two hops, a wrapper of the platform's whose refused connections are real, or a wrapper that sends
   * requests in the contexts of other calls.
   */
  connection: 'platform' | 'refusing platform' | 'one hop' | 'two hops' | 'wrapper' | 'contexts';
  /** For each request in turn, whether its connection is refused, before delivery or (two hops, wrapper) after it. */
  refused: ('no' | 'before' | 'after')[];
  /** For each call of a wrapper with contexts in turn, what it sends. */
  wrapped: Wrapped[];
  /** Whether such a wrapper sends one request at a time. */
  queue: boolean;
  /** For each request in turn, whether there is a token. */
  tokens: boolean[];
  /** With client credentials, how new tokens spread. */
  spread: Spread | undefined;
  /** For each hook in turn, its behaviour. Only observing hooks never end. */
  hooks: HookBehaviour[];
  /** Whether 401 and 429 mean "not processed". If not, the client does not replay creations. */
  isAssumptionTrue: boolean;
  loggerThrows: boolean;
  /** Number of the request whose arrival aborts everything. */
  abortAt: number | undefined;
}

const losses: PlannedResponse['how'][] = [
  ...(['reset', 'resetInBody', 'halfBody', 'cut', 'stall', 'stallInBody'] as const),
  ...[408, 500, 502, 503, 504],
];
const refusals: PlannedResponse['how'][] = [401, 403, 422, 429];
const lost = fc.record({ process: fc.boolean(), how: fc.constantFrom(...losses) });
const refusal = fc.record({ process: fc.constant(false), how: fc.constantFrom(...refusals) });
const done = fc.constant<PlannedResponse>({ process: true, how: 'answer' });
const nothing = fc.record({ process: fc.constant(true), how: fc.constantFrom('empty' as const, 'null' as const) });
const seldom = fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const hop: fc.Arbitrary<Hop> = fc.record({
  refused: fc.boolean(),
  from: fc.constantFrom(0, 0, 0, 1, 1, 2, -1, 100),
});
const maybeHop = fc.option(hop, { nil: undefined, freq: 2 });
const anyWrapped = fc.record({ auditBefore: maybeHop, own: hop, failover: maybeHop, auditAfter: maybeHop });

/** As through a queue: requests move to the context of a neighbour, and audit lines stay in their own. */
const queued = fc.constantFrom(1, -1).chain((from) =>
  fc.array(
    fc.record({
      auditBefore: fc.constant(undefined),
      own: fc.record({ refused: fc.boolean(), from: fc.constant(from) }),
      failover: fc.constant(undefined),
      auditAfter: fc.constant({ refused: true, from: 0 }),
    }),
    { maxLength: 8, size: 'max' },
  ),
);

export const plans: fc.Arbitrary<Plan> = fc.record({
  calls: fc.array(
    fc.record({
      kind: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'DELETE'),
      responses: fc.array(fc.oneof({ weight: 4, arbitrary: lost }, { weight: 2, arbitrary: refusal }, nothing, done), {
        maxLength: 4,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  mode: fc.constantFrom('in turn', 'together'),
  connection: fc.constantFrom(
    ...(['platform', 'refusing platform', 'one hop', 'two hops', 'wrapper', 'contexts', 'contexts'] as const),
  ),
  refused: fc.array(fc.constantFrom('no', 'no', 'before', 'after'), { maxLength: 6 }),
  wrapped: fc.oneof(fc.array(anyWrapped, { maxLength: 8, size: 'max' }), queued),
  queue: fc.boolean(),
  tokens: fc.array(
    seldom.map((fails) => !fails),
    { maxLength: 8 },
  ),
  spread: fc.option(spreads, { nil: undefined }),
  hooks: fc.oneof(
    { weight: 3, arbitrary: fc.constant<HookBehaviour[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom<HookBehaviour>('returns', 'returns', 'returns', 'throws', 'never ends'), {
        maxLength: 12,
      }),
    },
  ),
  isAssumptionTrue: fc.boolean(),
  loggerThrows: seldom,
  abortAt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 3 }),
});
