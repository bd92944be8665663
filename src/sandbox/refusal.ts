import type { AnyChoice } from './choices/choices.ts';
import type { AnyRule } from './rules.ts';

/** A failed answer: thrown by the checks and handlers, turned into a response in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly rule: AnyRule | undefined;
  readonly choice: AnyChoice | undefined;
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;

  constructor(answer: { status: number; body: unknown; rule?: AnyRule; choice?: AnyChoice; retryAfter?: number }) {
    super(`Refused with status ${answer.status}`);
    this.status = answer.status;
    this.body = answer.body;
    this.rule = answer.rule;
    this.choice = answer.choice;
    this.retryAfter = answer.retryAfter;
  }
}

/** How handlers refuse, and how they mark what the documents leave open. */
export interface Refusals {
  /**
   * A documented rule refuses the request. The reply carries `x-sandbox-rule`.
   *
   * @param rule - id of the rule in the spec
   * @param answer - what to answer; status 422 and a body of the sandbox's own where the documents show none; the choice
   * where the documents have the rule but not this answer; the whole seconds after which another try makes sense
   */
  refuse(
    rule: AnyRule,
    answer: { status?: number; message: string; body?: unknown; choice?: AnyChoice; retryAfter?: number },
  ): never;
  /** The sandbox refuses by a choice of its own, since the documents say nothing. The reply carries `x-sandbox-choice`. */
  refuseByChoice(choice: AnyChoice, answer: { status?: number; message: string; body?: unknown }): never;
  /** 404 for a record that is not there; the rule where one is documented, else the sandbox's choice. */
  notFound(what: string, rule?: AnyRule): never;
  /** Marks a successful reply as shaped by a choice of the sandbox. */
  chose(choice: AnyChoice): void;
}
