import { context, type HrTime, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/index.ts';

const silent = { warn: () => undefined };

/** A client with a fixed wait of 5 ms before its first retry. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  vi.spyOn(Math, 'random').mockReturnValue(0.01);
  return createClient({ baseUrl, auth: { apiKey: 'k3y-value' }, logger: silent, ...options });
}

/** Registers OpenTelemetry's SDK with an in-memory exporter for the tests of a file. */
export function useSdk(...processors: SpanProcessor[]): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  // The SDK's own ids are random, and some tests fake `Math.random`.
  let lastId = 0;
  const next = (length: number) => () => {
    lastId += 1;
    return lastId.toString(16).padStart(length, '0');
  };
  const idGenerator = { generateTraceId: next(32), generateSpanId: next(16) };
  beforeAll(() => {
    const spanProcessors = [...processors, new SimpleSpanProcessor(exporter)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors, idGenerator }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  beforeEach(() => exporter.reset());
  afterAll(() => {
    for (const api of [trace, context, propagation]) api.disable();
  });
  return exporter;
}

/** Orders spans by their start. Times have milliseconds only. */
function compareTimes(a: HrTime, b: HrTime): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** Spans as a tree, with a line each: kind, name and outcome. */
export function tree(spans: ReadableSpan[], parent?: string, indent = ''): string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .sort((a, b) => compareTimes(a.startTime, b.startTime) || a.name.localeCompare(b.name))
    .flatMap((span) => [indent + line(span), ...tree(spans, span.spanContext().spanId, `${indent}  `)]);
}

function line({ kind, name, status, attributes }: ReadableSpan): string {
  const told = [
    attributes['http.response.status_code'],
    attributes['http.request.resend_count'] && `resend ${attributes['http.request.resend_count']}`,
    attributes['carillon.attempts'] !== undefined && `attempts ${attributes['carillon.attempts']}`,
    attributes['carillon.sent'] && `sent ${attributes['carillon.sent']}`,
    status.code === SpanStatusCode.ERROR && `error ${attributes['error.type']}`,
  ];
  return [SpanKind[kind], name, ...told.filter(Boolean)].join(' ');
}
