/**
 * OpenTelemetry spans of calls and their attempts. Requires `@opentelemetry/api`.
 *
 * @module carillon/otel
 */
import {
  type Attributes,
  type Context,
  context,
  diag,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isCarillonError } from './core/errors/is-carillon-error.ts';
import { type AttemptMessage, attemptChannel, type CallMessage, callChannel } from './core/trace.ts';

export type { AttemptMessage, CallMessage } from './core/trace.ts';

/** Options of {@link startTracing}. */
export interface TracingOptions {
  /**
   * Sends the W3C headers `traceparent` and `tracestate` with every attempt, only to the host of `baseUrl`. Baggage is never sent,
   * because it can contain personal data. Do not set it if an instrumentation of `fetch` already sends these headers.
   * @default false
   */
  propagate?: boolean | undefined;
}

/**
 * Creates a span for every call, with a child span for every attempt, for all clients of this process. Names and attributes follow
 * OpenTelemetry's conventions for HTTP clients. They do not contain bodies, credentials or filled paths, so `url.full` is
 * omitted. Call it once, after registering the SDK. It has no effect on platforms without tracing channels, such as browsers and
 * Bun.
 *
 * @param options - whether to propagate the trace to the service
 * @returns a function that stops tracing; spans of pending calls are lost
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { startTracing } from 'carillon/otel';
 *
 * const stop = startTracing();
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * await api.crm.deals.get({ dealId: 501 });
 * stop();
 * ```
 */
export function startTracing({ propagate = false }: TracingOptions = {}): () => void {
  const tracer = trace.getTracer('carillon');
  const spans = new WeakMap<CallMessage, Span>();

  function begin(message: CallMessage, kind: SpanKind, attributes: Attributes): Context {
    const { operation, operationId, within } = message;
    const parent = context.active();
    const [method = '', template = ''] = operation.split(' ');
    const span = tracer.startSpan(
      operation,
      {
        kind,
        attributes: {
          'http.request.method': method,
          'url.template': template,
          ...serverOf(message.baseUrl),
          'carillon.operation_id': operationId,
          ...attributes,
        },
      },
      parent,
    );
    spans.set(message, span);
    const own = trace.setSpan(parent, span);
    message.within = (run) => within(() => context.with(own, run));
    return own;
  }

  function end(message: CallMessage): void {
    const { status, sent = 'no', error } = message;
    const span = spans.get(message);
    // The call was already pending when tracing started.
    if (!span) return;
    span.setAttribute('carillon.sent', sent);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    // A call can succeed with an error status, if an earlier attempt already deleted the record.
    const seen = 'wait' in message ? status : undefined;
    const problem = error === undefined ? failedStatus(seen) : errorType(error);
    if (problem !== undefined) {
      span.setAttribute('error.type', problem);
      // Omit the description, because messages can repeat text from the service.
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  const stops = [
    subscribe<CallMessage>(callChannel, {
      start: (message) => void begin(message, SpanKind.INTERNAL, {}),
      asyncEnd(message) {
        spans.get(message)?.setAttribute('carillon.attempts', message.attempts);
        end(message);
      },
    }),
    subscribe<AttemptMessage>(attemptChannel, {
      start(message) {
        const { attempt, wait, headers } = message;
        const resent = attempt > 1 && { 'http.request.resend_count': attempt - 1, 'carillon.wait': wait };
        const own = begin(message, SpanKind.CLIENT, { ...resent });
        if (propagate) Object.assign(headers, traceHeaders(own));
      },
      asyncEnd: end,
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Subscribers<Message> {
  start(message: Message): void;
  asyncEnd(message: Message): void;
}

/**
 * Subscribes, and catches errors of the subscribers, such as those of an SDK's processors and samplers. They would end the
 * process.
 */
function subscribe<Message>(channel: typeof callChannel, { start, asyncEnd }: Subscribers<Message>): () => void {
  const guarded = (subscriber: (message: Message) => void) => (message: Message) => {
    try {
      subscriber(message);
    } catch (error) {
      diag.error('carillon/otel: a span could not be recorded', error);
    }
  };
  const subscribers = { start: guarded(start), asyncEnd: guarded(asyncEnd) };
  channel?.subscribe(subscribers);
  return () => void channel?.unsubscribe(subscribers);
}

function serverOf(baseUrl: string): Attributes {
  // A path that a page has not resolved yet.
  if (!URL.canParse(baseUrl)) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'http:' ? 80 : 443)) };
}

/** Returns the propagator's headers that W3C Trace Context defines. */
function traceHeaders(own: Context): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(own, carrier);
  const names = ['traceparent', 'tracestate'];
  return Object.fromEntries(Object.entries(carrier).filter(([name]) => names.includes(name)));
}

/** `error.type` of a response: its status, if it is an error. */
function failedStatus(status: number | undefined): string | undefined {
  return status !== undefined && status >= 400 ? String(status) : undefined;
}

/** `error.type` of an error. Returns only known names, because the reason of an abort can have any name. */
function errorType(error: unknown): string {
  if (isCarillonError(error)) return error.name;
  return error instanceof DOMException ? error.name : '_OTHER';
}
