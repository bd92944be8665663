import type { InMemorySpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, vi } from 'vitest';
import type { Client, ClientOptions } from '../../../src/client/index.ts';
import { createTracing, type TracingOptions } from '../../../src/client/otel.ts';
import { clientOf, tree, useSdk } from './support.ts';

interface Traced {
  exporter: InMemorySpanExporter;
  /** Finished spans as a tree. */
  spans(): string[];
}

/** Registers OpenTelemetry's SDK for the tests of a file. */
export function useTracing(...processors: SpanProcessor[]): Traced {
  const exporter = useSdk(...processors);
  afterEach(() => void vi.restoreAllMocks());
  return { exporter, spans: () => tree(exporter.getFinishedSpans()) };
}

/** A client that makes spans. */
export function tracedClient(
  baseUrl: string,
  { propagate, ...options }: Partial<ClientOptions> & TracingOptions = {},
): Client {
  return clientOf(baseUrl, { middleware: [createTracing({ propagate })], ...options });
}
