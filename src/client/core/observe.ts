import type { CallState } from './call-state.ts';
import { describeError } from './cause.ts';
import type { Deadline } from './deadline.ts';
import type { HookAttempt, HookRequest, HookResponse, Middleware } from './hooks.ts';
import type { Logger } from './options.ts';
import type { Redactor } from './redact.ts';

/** The settings for hooks. */
export interface HookSettings {
  middleware: Middleware[];
  showBodies: boolean | undefined;
  logger: Logger;
}

/** Runs an observer, such as a hook or the logger. Errors in the observer do not change the outcome of the call. */
export async function observe(action: () => unknown, logger?: Logger, hook?: keyof Middleware): Promise<void> {
  try {
    await action();
  } catch {
    logger?.warn(`carillon: the '${hook}' hook of a middleware failed; the call continues`);
  }
}

export function tellStart({ callId, operationId, operation }: CallState, { middleware, logger }: HookSettings): void {
  if (middleware.length === 0) return;
  for (const hook of middleware) observe(() => hook.onStart?.({ callId, operationId, operation }), logger, 'onStart');
}

export function tellEnd(state: CallState, { middleware, logger }: HookSettings): void {
  if (middleware.length === 0) return;
  const { callId, operationId, operation, attempts, sent, error, hasFailed } = state;
  const failure = hasFailed && { error: describeError(error) };
  const call = { callId, operationId, operation, attempts, sent, ...failure };
  for (const hook of middleware) observe(() => hook.onEnd?.(call), logger, 'onEnd');
}

/** The parts of a call that its hooks need. */
interface HookedCall {
  settings: HookSettings;
  deadline: Deadline;
  state: CallState;
  anonymous: boolean | undefined;
}

/** Headers by name. */
export type HeaderRecord = Record<string, string>;

/** The hooks of one attempt. */
export class AttemptHooks {
  readonly #request: { url: string; body: string | undefined };
  readonly #call: HookedCall;
  readonly #attempt: number;
  /** Hooks never see the bodies of the token operation, because they contain secrets. */
  readonly #showsBodies: boolean;
  #sent: HeaderRecord = {};

  constructor(request: { url: string; body: string | undefined }, call: HookedCall) {
    this.#request = request;
    this.#call = call;
    this.#attempt = call.state.attempts + 1;
    this.#showsBodies = call.settings.showBodies === true && !call.anonymous;
  }

  /**
   * Lets hooks add headers.
   *
   * @returns the headers to send, without the credential of the client
   */
  async request({ authorization: given, ...headers }: HeaderRecord): Promise<HeaderRecord> {
    const { settings, deadline } = this.#call;
    const open = new Headers(headers);
    const shown: HookRequest = { ...this.#describe(), headers: open };
    let authorization = given;
    for (const hook of settings.middleware) {
      await deadline.race(Promise.resolve(hook.onRequest?.(shown)));
      authorization = open.get('authorization') ?? authorization;
      // Hide the header from the other hooks.
      open.delete('authorization');
    }
    this.#sent = Object.fromEntries(open);
    return authorization === undefined ? { ...this.#sent } : { ...this.#sent, authorization };
  }

  response(response: Response, text: string | undefined, redactor: Redactor, started: number): void {
    const headers: HeaderRecord = {};
    response.headers.forEach((value, name) => {
      headers[name] = redactor.redact(value);
    });
    const seen: HookResponse = {
      status: response.status,
      headers,
      duration: performance.now() - started,
      ...(this.#showsBodies && text !== undefined && { body: redactor.redact(text) }),
    };
    const shown = this.#describeSent();
    this.#tell('onResponse', (hook) => hook.onResponse?.(shown, seen));
  }

  error(cause: unknown): void {
    const [shown, error] = [this.#describeSent(), describeError(cause)];
    this.#tell('onError', (hook) => hook.onError?.(shown, error));
  }

  #tell(name: 'onResponse' | 'onError', action: (hook: Middleware) => unknown): void {
    const { middleware, logger } = this.#call.settings;
    for (const hook of middleware) observe(() => action(hook), logger, name);
  }

  #describe(): Omit<HookAttempt, 'headers'> {
    const { callId, operationId, operation } = this.#call.state;
    const { url, body } = this.#request;
    const visible = this.#showsBodies && body !== undefined;
    return { callId, operationId, operation, url, attempt: this.#attempt, ...(visible && { body }) };
  }

  #describeSent(): HookAttempt {
    return { ...this.#describe(), headers: { ...this.#sent } };
  }
}
