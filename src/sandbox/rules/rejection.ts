import { isRecord } from '../../shared/is-record.ts';
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
