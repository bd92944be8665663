import { diag } from '@opentelemetry/api';
import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test, vi } from 'vitest';
import { respond, serve } from '../../support/fault-server.ts';
import { tracedClient, useTracing } from './traced-client.ts';

let onStart: (span: Span) => void = () => undefined;
const processor: SpanProcessor = {
  onStart: (span) => onStart(span),
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
useTracing(processor);
const deal = respond({ data: { id: 501 } });

afterEach(() => {
  onStart = () => undefined;
});

test.each([
  ['a call', 1],
  ['an attempt', 2],
])('an SDK that throws at the span of %s changes no outcome', async (_, failing) => {
  const error = vi.fn();
  diag.setLogger({ error, warn: error, info: error, debug: error, verbose: error });
  let started = 0;
  onStart = () => {
    started += 1;
    if (started === failing) throw new Error('from a processor');
  };
  const { url } = await serve(deal);
  expect(await tracedClient(url).crm.deals.get({ dealId: 501 })).toEqual({ id: 501 });
  diag.disable();
  expect(started).toBe(failing);
});
