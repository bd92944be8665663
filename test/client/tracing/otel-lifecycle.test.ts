import { diag } from '@opentelemetry/api';
import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test, vi } from 'vitest';
import { reply, serve } from '../../support/fault-server.ts';
import { useTracing } from './started-tracing.ts';
import { clientOf } from './support.ts';

let onStart: (span: Span) => void = () => undefined;
const processor: SpanProcessor = {
  onStart: (span) => onStart(span),
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
const { spans, stop } = useTracing(processor);
const deal = reply({ data: { id: 501 } });

afterEach(() => {
  onStart = () => undefined;
});

test('creates no spans after a stop', async () => {
  const { url } = await serve(deal);
  stop();
  await clientOf(url).crm.deals.get({ dealId: 501 });
  expect(spans()).toEqual([]);
});

test('an SDK that throws changes no outcome, and its own log reports the error', async () => {
  const error = vi.fn();
  diag.setLogger({ error, warn: error, info: error, debug: error, verbose: error });
  error.mockClear();
  onStart = () => {
    throw new Error('from a processor');
  };
  const { url } = await serve(deal);
  expect(await clientOf(url).crm.deals.get({ dealId: 501 })).toEqual({ id: 501 });
  diag.disable();
  expect(error).toHaveBeenCalledTimes(2);
});
