/**
 * The page of sandbox-msw.ci.test.ts: a small app whose API is a sandbox behind MSW. It writes its results into the
 * page.
 */
import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { Crm, createClient, isCarillonError } from '../../../src/client/index.ts';
import { createSandbox, type ScenarioName } from '../../../src/sandbox/index.ts';
import { scenarioNames } from '../../../src/sandbox/world/scenarios/scenarios.ts';

function isScenarioName(name: string | null): name is ScenarioName {
  return scenarioNames.some((one) => one === name);
}

/** The results of an app in a scenario. */
async function visit(baseUrl: string, scenario: ScenarioName) {
  const sandbox = createSandbox({ scenario });
  const worker = setupWorker(http.all(`${baseUrl}/*`, ({ request }) => sandbox.handle(request)));
  await worker.start({ quiet: true });
  const api = createClient({ baseUrl, auth: { apiKey: 'any', allowBrowser: true }, maxRetries: 0 });
  const outcome = (call: PromiseLike<unknown>) =>
    Promise.resolve(call).then(
      () => 'ok',
      (error: unknown) => String(Object(error).status ?? Object(error).name),
    );
  const begun = performance.now();
  const list = await api.crm.contacts.list().then(
    ({ data, total }) => ({ shown: data.length, total }),
    (error: unknown) => String(Object(error).status ?? Object(error).name),
  );
  const milliseconds = performance.now() - begun;
  const unsubscribed = await outcome(
    api.email.unsubscribes.requestResubscription({ email: 'ben.ito@example.com', sender: 'sales@example.com' }),
  );
  const outcomes = new Set<string>();
  if (scenario === 'failing')
    for (let count = 0; count < 30; count += 1) outcomes.add(await outcome(api.crm.deals.get({ dealId: 501 })));
  const active = sandbox.scenario?.name;
  sandbox.startScenario('empty');
  const after = await api.crm.contacts.list();
  return { active, list, milliseconds, unsubscribed, outcomes: [...outcomes].sort(), after: after.data.length };
}

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
  const rejection = await api.crm.deals.update(failed).then(
    () => 'it was accepted',
    (error: unknown) =>
      isCarillonError(error, 'ApiError')
        ? { status: error.status, rule: error.headers.get('x-sandbox-rule') }
        : String(error),
  );
  return { created, read, rejection, handled: sandbox.requests.map(({ operation }) => operation) };
}

const output = document.createElement('output');
try {
  const address = new URLSearchParams(location.search);
  const api = address.get('api');
  const scenario = address.get('scenario');
  if (!api) throw new Error('The address of this page names no API');
  output.textContent = JSON.stringify(await (isScenarioName(scenario) ? visit(api, scenario) : run(api)));
} catch (error) {
  output.textContent = JSON.stringify({ error: String(error) });
}
document.body.append(output);
