/**
 * OpenTelemetry spans for calls and their attempts. Requires `@opentelemetry/api`.
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
import { checkOptions, readBoolean } from './core/check-options.ts';
import type { HookRequest, HookStart, Middleware } from './core/hooks.ts';

/** Options of {@link createTracing}. */
export interface TracingOptions {
  /**
   * Sends the W3C headers `traceparent` and `tracestate` with every attempt, only to the host of `baseUrl`. Baggage is never
   * sent, because it can contain personal data. Do not set this option if `fetch` instrumentation already sends these headers.
   * @default false
   */
  propagate?: boolean | undefined;
}

/** A call in progress. */
interface TracedCall {
  span: Span;
  /** Parent context of the attempt spans. */
  context: Context;
  attempt?: Span | undefined;
}

/**
 * Creates a middleware that records a span for every call, with a child span for every attempt. Names and attributes follow
 * OpenTelemetry's conventions for HTTP clients. They do not contain bodies, credentials or paths with parameter values, so
 * `url.full` is omitted.
 *
 * @param options - whether to propagate the trace to the service
 * @returns a middleware for the `middleware` option
 * @throws `ConfigError` if an option is unknown or has the wrong type
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createTracing } from 'carillon/otel';
 *
 * const api = createClient({
 *   baseUrl: 'https://api.example.com',
 *   auth: { apiKey: 'my-key' },
 *   middleware: [createTracing()],
 * });
 * await api.crm.deals.get({ dealId: 501 });
 * ```
 */
export function createTracing(options: TracingOptions = {}): Middleware {
  checkOptions(options, ['propagate']);
  const propagate = readBoolean(options.propagate, 'propagate', false);
  const tracer = trace.getTracer('carillon');
  const calls = new Map<number, TracedCall>();

  function startAttempt(call: TracedCall, request: HookRequest): void {
    const { attempt, headers, url } = request;
    const attributes = {
      ...operationAttributes(request),
      ...serverAttributes(url),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    call.attempt = tracer.startSpan(request.operation, { kind: SpanKind.CLIENT, attributes }, call.context);
    if (!propagate) return;
    for (const [name, value] of traceHeaders(trace.setSpan(call.context, call.attempt))) headers.set(name, value);
  }

  function endAttempt(callId: number, problem: string | undefined, attributes: Attributes = {}): void {
    const call = calls.get(callId);
    if (!call?.attempt) return;
    call.attempt.setAttributes(attributes);
    endSpan(call.attempt, problem);
    call.attempt = undefined;
  }

  return {
    onStart(started) {
      const parent = context.active();
      const attributes = operationAttributes(started);
      const span = tracer.startSpan(started.operation, { kind: SpanKind.INTERNAL, attributes }, parent);
      calls.set(started.callId, { span, context: trace.setSpan(parent, span) });
    },
    onRequest(request) {
      const call = calls.get(request.callId);
      try {
        if (call) startAttempt(call, request);
      } catch (error) {
        // An error in `onRequest` fails the call.
        diag.error('carillon/otel: a span could not be recorded', error);
      }
    },
    onResponse({ callId }, { status }) {
      const attributes = { 'http.response.status_code': status };
      endAttempt(callId, status >= 400 ? String(status) : undefined, attributes);
    },
    onError: ({ callId }, error) => endAttempt(callId, errorType(error)),
    onEnd({ callId, attempts, sent, error }) {
      const problem = error && errorType(error);
      // Another hook can end an attempt before it is sent.
      endAttempt(callId, problem);
      const call = calls.get(callId);
      calls.delete(callId);
      if (!call) return;
      call.span.setAttributes({ 'carillon.attempts': attempts, 'carillon.sent': sent });
      endSpan(call.span, problem);
    },
  };
}

function operationAttributes({ operation, operationId }: HookStart): Attributes {
  const [method = '', template] = operation.split(' ');
  return {
    'http.request.method': method,
    ...(template && { 'url.template': template }),
    'carillon.operation_id': operationId,
  };
}

function serverAttributes(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'http:' ? 80 : 443)) };
}

/** Returns the propagator's headers that W3C Trace Context defines. */
function traceHeaders(own: Context): [string, string][] {
  const carrier: Record<string, string> = {};
  propagation.inject(own, carrier);
  return Object.entries(carrier).filter(([name]) => ['traceparent', 'tracestate'].includes(name));
}

/** Ends a span. Omits the description of an error, because messages can repeat text from the service. */
function endSpan(span: Span, problem: string | undefined): void {
  if (problem !== undefined) {
    span.setAttribute('error.type', problem);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/**
 * Value of `error.type` for an error: the name of the error, if it is the name of an error class. An abort reason can have any
 * name.
 */
function errorType({ name }: { name: string }): string {
  return /^\w+Error$/.test(name) ? name : '_OTHER';
}
