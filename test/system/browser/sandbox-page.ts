/** The page of sandbox-msw.test.ts: a small app whose API is a sandbox behind MSW. It writes what it saw into itself. */
import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { Crm, createClient, isCarillonError } from '../../../src/client/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';

async function run(baseUrl: string) {
  const sandbox = createSandbox();
  const worker = setupWorker(http.all(`${baseUrl}/*`, ({ request }) => sandbox.fetch(request)));
  await worker.start({ quiet: true });
  const api = createClient({ baseUrl, auth: { apiKey: 'any', allowBrowser: true } });

  const place = { pipelineId: 1, stepId: 11, name: 'Annual plan renewal', price: 1200 };
  const created = await api.crm.deals.create(place);
  const read = await api.crm.deals.get({ dealId: created.id });

  for (const { id } of await api.crm.pipelines.failReasons.list({ pipelineId: 1 })) {
    await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: id, isEnabled: false });
  }
  const failed = { ...place, dealId: created.id, status: Crm.DealStatus.Fail };
  const refusal = await api.crm.deals.update(failed).then(
    () => 'it was accepted',
    (error: unknown) =>
      isCarillonError(error, 'ApiError')
        ? { status: error.status, rule: error.headers.get('x-sandbox-rule') }
        : String(error),
  );
  return { created, read, refusal, answered: sandbox.requests.map(({ operation }) => operation) };
}

const output = document.createElement('output');
try {
  const api = new URLSearchParams(location.search).get('api');
  if (!api) throw new Error('The address of this page names no API');
  output.textContent = JSON.stringify(await run(api));
} catch (error) {
  output.textContent = JSON.stringify({ error: String(error) });
}
document.body.append(output);
