/**
 * Node: OpenTelemetry's SDK with an in-memory exporter. Compares the span trees and prints a word for each correct one.
 */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Client, createClient } from 'carillon';
import { startTracing } from 'carillon/otel';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
startTracing({ propagate: true });

/** The spans below a span, one line each. */
function tree(spans: ReadableSpan[], parent?: string, indent = ''): string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
    .flatMap((span) => {
      const { kind, name, attributes } = span;
      const outcome = attributes['error.type'] ?? attributes['http.response.status_code'];
      const resent = attributes['http.request.resend_count'];
      const line = [SpanKind[kind], name, outcome, ...(resent ? [`resend ${resent}`] : [])].join(' ');
      return [indent + line, ...tree(spans, span.spanContext().spanId, `${indent}  `)];
    });
}

type Answer = number | 'never' | object;

/** Makes calls to a server that sends these answers, and compares the spans. */
async function check(answers: Answer[], use: (api: Client) => Promise<unknown>, expected: string[]): Promise<void> {
  exporter.reset();
  const left = [...answers];
  const handle: RequestListener = (_, response) => {
    const answer = left.shift();
    if (typeof answer === 'number') response.writeHead(answer, { 'retry-after': '0' }).end();
    else if (answer !== 'never') response.end(JSON.stringify(answer));
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const auth = { clientId: 'id', clientSecret: 'secret' };
  const api = createClient({ baseUrl: `http://127.0.0.1:${address.port}`, auth });
  try {
    await use(api).catch(() => undefined);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const token = ['  INTERNAL POST /oauth/access_token 200', '    CLIENT POST /oauth/access_token 200'];
  assert.deepEqual(
    tree(exporter.getFinishedSpans()),
    expected.flatMap((line) => (line === 'token' ? token : [line])),
  );
}

const token = { access_token: 't0ken', token_type: 'Bearer', expires_in: 3600 };
const deal = { data: { id: 501 } };
const get = (api: Client) => api.crm.deals.get({ dealId: 501 });

await check([token, deal], get, ['INTERNAL GET /deals/{dealId} 200', 'token', '  CLIENT GET /deals/{dealId} 200']);
await check([token, 503, deal], get, [
  ...['INTERNAL GET /deals/{dealId} 200', 'token', '  CLIENT GET /deals/{dealId} 503'],
  '  CLIENT GET /deals/{dealId} 200 resend 1',
]);
// A young token is sent again, not replaced.
await check([token, 401, deal], get, [
  ...['INTERNAL GET /deals/{dealId} 200', 'token', '  CLIENT GET /deals/{dealId} 401'],
  '  CLIENT GET /deals/{dealId} 200 resend 1',
]);
await check([token, 'never'], (api) => api.crm.deals.get({ dealId: 501 }, { timeout: 500 }), [
  ...['INTERNAL GET /deals/{dealId} DeadlineError', 'token', '  CLIENT GET /deals/{dealId} DeadlineError'],
]);
await check([token, 'never'], (api) => api.crm.deals.get({ dealId: 501 }, { signal: AbortSignal.timeout(500) }), [
  ...['INTERNAL GET /deals/{dealId} TimeoutError', 'token', '  CLIENT GET /deals/{dealId} TimeoutError'],
]);
const deleted = ['  INTERNAL DELETE /deals/{dealId} 204', '    CLIENT DELETE /deals/{dealId} 204'];
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
