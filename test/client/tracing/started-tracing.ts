import type { InMemorySpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, vi } from 'vitest';
import { startTracing, type TracingOptions } from '../../../src/client/otel.ts';
import { tree, useSdk } from './support.ts';

interface StartedTracing {
  exporter: InMemorySpanExporter;
  /** Finished spans as a tree. */
  spans(): string[];
  stop(): void;
  /** Starts tracing again with other options. */
  restart(options: TracingOptions): void;
}

/** Registers OpenTelemetry's SDK for the tests of a file, and starts tracing for each of them. */
export function useTracing(...processors: SpanProcessor[]): StartedTracing {
  const exporter = useSdk(...processors);
  let stop: () => void = () => undefined;
  beforeEach(() => {
    stop = startTracing();
  });
  afterEach(() => {
    stop();
    vi.restoreAllMocks();
  });
  return {
    exporter,
    spans: () => tree(exporter.getFinishedSpans()),
    stop: () => stop(),
    restart(options) {
      stop();
      stop = startTracing(options);
    },
  };
}
