/**
 * Node: OpenTelemetry's SDK with an in-memory exporter. Compares the span trees and prints a word for each correct one.
 */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { context, type HrTime, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Client, createClient } from 'carillon';
import { createTracing } from 'carillon/otel';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** Orders spans by their start. Times have milliseconds only. */
function compareTimes(a: HrTime, b: HrTime): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** The spans below a span, one line each. */
function tree(spans: ReadableSpan[], parent?: string, indent = ''): string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .sort((a, b) => compareTimes(a.startTime, b.startTime) || a.name.localeCompare(b.name))
    .flatMap((span) => {
      const { kind, name, attributes } = span;
      const outcome =
        attributes['error.type'] ?? attributes['http.response.status_code'] ?? attributes['carillon.sent'];
      const resent = attributes['http.request.resend_count'];
      const line = [SpanKind[kind], name, outcome, ...(resent ? [`resend ${resent}`] : [])].join(' ');
      return [indent + line, ...tree(spans, span.spanContext().spanId, `${indent}  `)];
    });
}

type Planned = number | 'never' | object;

/** Makes calls to a server that sends these responses, and compares the spans. */
async function check(planned: Planned[], use: (api: Client) => Promise<unknown>, expected: string[]): Promise<void> {
  exporter.reset();
  const left = [...planned];
  const handle: RequestListener = (_, response) => {
    const next = left.shift();
    if (typeof next === 'number') response.writeHead(next, { 'retry-after': '0' }).end();
    else if (next !== 'never') response.end(JSON.stringify(next));
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const auth = { clientId: 'id', clientSecret: 'secret' };
  const middleware = [createTracing({ propagate: true })];
  const api = createClient({ baseUrl: `http://127.0.0.1:${address.port}`, auth, middleware });
  try {
    await use(api).catch(() => undefined);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const token = ['INTERNAL POST /oauth/access_token yes', '  CLIENT POST /oauth/access_token 200'];
  assert.deepEqual(
    tree(exporter.getFinishedSpans()),
    expected.flatMap((line) => (line === 'token' ? token : [line])),
  );
}

const token = { access_token: 't0ken', token_type: 'Bearer', expires_in: 3600 };
const deal = { data: { id: 501 } };
const get = (api: Client) => api.crm.deals.get({ dealId: 501 });

await check([token, deal], get, ['INTERNAL GET /deals/{dealId} yes', '  CLIENT GET /deals/{dealId} 200', 'token']);
await check([token, 503, deal], get, [
  ...['INTERNAL GET /deals/{dealId} yes', '  CLIENT GET /deals/{dealId} 503'],
  ...['  CLIENT GET /deals/{dealId} 200 resend 1', 'token'],
]);
await check([token, 401, { ...token, access_token: 'an0ther' }, deal], get, [
  ...['INTERNAL GET /deals/{dealId} yes', '  CLIENT GET /deals/{dealId} 401'],
  ...['  CLIENT GET /deals/{dealId} 200 resend 1', 'token', 'token'],
]);
await check([token, 'never'], (api) => api.crm.deals.get({ dealId: 501 }, { timeout: 500 }), [
  ...['INTERNAL GET /deals/{dealId} DeadlineError', '  CLIENT GET /deals/{dealId} DeadlineError', 'token'],
]);
await check([token, 'never'], (api) => api.crm.deals.get({ dealId: 501 }, { signal: AbortSignal.timeout(500) }), [
  ...['INTERNAL GET /deals/{dealId} TimeoutError', '  CLIENT GET /deals/{dealId} TimeoutError', 'token'],
]);
const deleted = ['  INTERNAL DELETE /deals/{dealId} yes', '    CLIENT DELETE /deals/{dealId} 204'];
await check(
  [token, deal, 204, 204],
  async (api) => {
    await get(api);
    exporter.reset();
    await trace.getTracer('program').startActiveSpan('parent', async (span) => {
      for (const dealId of [501, 502]) await api.crm.deals.delete({ dealId });
      span.end();
    });
  },
  ['INTERNAL parent ', ...deleted, ...deleted],
);
console.log('plain retry replay deadline abort parent');
