import { context, trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { redirect, respond, serve, status } from '../../support/fault-server.ts';
import { tracedClient, useTracing } from './traced-client.ts';

const { exporter, spans } = useTracing();
const deal = respond({ data: { id: 501 } });

test('calls are children of the surrounding span', async () => {
  const { url } = await serve(deal);
  const api = tracedClient(url);
  const tracer = trace.getTracer('test');
  await tracer.startActiveSpan('import', async (span) => {
    for (const dealId of [501, 502]) await api.crm.deals.delete({ dealId });
    span.end();
  });
  const one = ['  INTERNAL DELETE /deals/{dealId} attempts 1 sent yes', '    CLIENT DELETE /deals/{dealId} 200'];
  expect(spans()).toEqual(['INTERNAL import', ...one, ...one]);
});

test('concurrent calls keep their attempts apart', async () => {
  const { url } = await serve(deal);
  const api = tracedClient(url);
  await Promise.all([api.crm.deals.get({ dealId: 501 }), api.crm.users.list(), api.crm.deals.get({ dealId: 502 })]);
  const names = spans().map((text) => text.trim().split(' ').slice(0, 3).join(' '));
  const pair = (name: string) => [`INTERNAL ${name}`, `CLIENT ${name}`];
  expect(names.sort()).toEqual(
    [...pair('GET /deals/{dealId}'), ...pair('GET /users'), ...pair('GET /deals/{dealId}')].sort(),
  );
  expect(exporter.getFinishedSpans().filter(({ parentSpanContext }) => !parentSpanContext)).toHaveLength(3);
});

test("the caller's span is active again after a call", async () => {
  const { url } = await serve(deal);
  await trace.getTracer('test').startActiveSpan('outer', async (span) => {
    await tracedClient(url).crm.deals.get({ dealId: 501 });
    expect(trace.getSpan(context.active())).toBe(span);
    span.end();
  });
});

test('sends trace headers only on request', async () => {
  const { url, received } = await serve(deal);
  await tracedClient(url).crm.deals.get({ dealId: 501 });
  expect(received[0]?.headers.traceparent).toBeUndefined();
});

test("propagate: each attempt sends its own span's context besides the existing headers", async () => {
  const { url, received } = await serve(status(503), deal);
  await tracedClient(url, { propagate: true }).crm.deals.get({ dealId: 501 }, { headers: { 'x-job': 'nightly' } });
  const attempts = exporter.getFinishedSpans().slice(0, 2);
  expect(received.map(({ headers }) => headers.traceparent)).toEqual(
    attempts.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
  );
  expect(received.map(({ headers }) => [headers['x-job'], headers.authorization])).toEqual(
    Array(2).fill(['nightly', 'Bearer k3y-value']),
  );
});

test('propagate: sends no header to the host of a redirect', async () => {
  const other = await serve(deal);
  const { url, received } = await serve(redirect(307, `${other.url}/crm/v1/deals/501`));
  await expect(tracedClient(url, { propagate: true }).crm.deals.get({ dealId: 501 })).rejects.toThrow('redirected');
  expect(received[0]?.headers.traceparent).toBeDefined();
  expect(other.received).toEqual([]);
});
