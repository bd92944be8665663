import { type PendingCall, toMethodCall } from '../../src/client/core/call.ts';
import { CallState } from '../../src/client/core/call-state.ts';
import type { WithResponse } from '../../src/shared/call-types.ts';

/** A call of a made-up list, without a client. */
export function pendingCall<Data, Meta>(result: Promise<WithResponse<Data, Meta>>): PendingCall<Data, Meta> {
  const state = new CallState('listThings', 'GET /things');
  const payload = result.then((whole) => {
    state.result = whole;
    return whole.data;
  });
  return toMethodCall(payload, state);
}
