import { isRecord } from '../../shared/is-record.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { AnyChoice } from './choices.ts';
import type { AnyRule } from './rules.ts';

/** A refused request. Checks and handlers throw it; `refusalResponse` turns it into a response. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly rule: AnyRule | undefined;
  readonly choice: AnyChoice | undefined;
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined;

  constructor(answer: { status: number; body: unknown; rule?: AnyRule; choice?: AnyChoice; retryAfter?: number }) {
    super(isRecord(answer.body) ? String(answer.body.message) : `Refused with status ${answer.status}`);
    this.status = answer.status;
    this.body = answer.body;
    this.rule = answer.rule;
    this.choice = answer.choice;
    this.retryAfter = answer.retryAfter;
  }
}

/** Refusal of a change that a store could not keep. The change is undone. */
export function storeRefusal(cause: unknown): Refusal {
  const reason = messageOf(cause);
  const message = `The sandbox could not store the change, so nothing has changed. ${reason}`;
  return new Refusal({ status: 507, body: { message }, choice: 'store-failed' });
}

/** Refusal of a request to a world that was deleted meanwhile. */
export function deletedRefusal(): Refusal {
  const message = 'This world was deleted. The next request with the same key gets a new world.';
  return new Refusal({ status: 409, body: { message }, choice: 'world-deleted' });
}
