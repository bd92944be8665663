import type { InMemorySpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, vi } from 'vitest';
import { startTracing, type TracingOptions } from '../../../src/client/otel.ts';
import { tree, useSdk } from './support.ts';

interface StartedTracing {
  exporter: InMemorySpanExporter;
  /** The finished spans as a tree. */
  spans(): string[];
  stop(): void;
  /** Starts tracing again with other options. */
  restart(options: TracingOptions): void;
}

/** OpenTelemetry's SDK while the tests of a file run, with tracing started for each of them. */
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
