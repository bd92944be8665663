import { isRecord } from '../../shared/is-record.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { AnyChoice } from './choices.ts';
import type { AnyRule } from './rules.ts';

/** A rejected request. Checks and handlers throw a rejection; `rejectionResponse` turns the rejection into a response. */
export class Rejection extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly rule: AnyRule | undefined;
  readonly choice: AnyChoice | undefined;
  /** Number of seconds after which the client can retry. */
  readonly retryAfter: number | undefined;

  constructor(given: { status: number; body: unknown; rule?: AnyRule; choice?: AnyChoice; retryAfter?: number }) {
    super(isRecord(given.body) ? String(given.body.message) : `Rejected with status ${given.status}`);
    this.status = given.status;
    this.body = given.body;
    this.rule = given.rule;
    this.choice = given.choice;
    this.retryAfter = given.retryAfter;
  }
}

/** Returns a rejection whose body is a message. */
export function rejection(status: number, message: string, choice?: AnyChoice): Rejection {
  return new Rejection({ status, body: { message }, ...(choice && { choice }) });
}

/** Returns the rejection for a change that the store could not save. The change is undone. */
export function storeRejection(cause: unknown): Rejection {
  const reason = messageOf(cause);
  const message = `The sandbox could not store the change, so nothing has changed. ${reason}`;
  return rejection(507, message, 'store-failed');
}

/** Rejection of a delayed request whose world was deleted during the delay. */
export function deletedRejection(): Rejection {
  const message = 'This world was deleted. The next request with the same key creates a new world.';
  return rejection(409, message, 'world-deleted');
}
