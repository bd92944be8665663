// Calls every operation of the fourth product with the built packages, against sandbox and mock.
import { createClient, Telephony } from 'carillon';
import { createPathsClient } from 'carillon/paths';
import { createQuery } from 'carillon/query';
import { createTelephonyClient } from 'carillon/telephony';
import { createResponseValidator } from 'carillon/validate';
import { createMock } from 'carillon-mock';
import { createSandbox } from 'carillon-sandbox';

const sandbox = createSandbox();
const sent = [];
const options = (answer) => ({
  baseUrl: 'https://platform.example.com',
  auth: { apiKey: 'any' },
  validate: createResponseValidator({ onInvalid: 'throw' }),
  fetch: async (url, init) => {
    const { pathname, search } = new URL(url);
    sent.push([`${init.method} ${pathname}${decodeURIComponent(search)}`, init.body ?? null]);
    return answer(new Request(url, init));
  },
});
const api = createClient(options((request) => sandbox.fetch(request)));

const results = [];
results.push(
  (
    await api.telephony.calls.list({
      states: [Telephony.CallState.Done, Telephony.CallState.Waiting],
      answered: true,
    })
  ).data.length,
);
results.push((await api.telephony.calls.list({ states: ['waiting'], limit: 5 })).data.length);
const created = await api.telephony.calls.create({ number: '+15550100199', note: 'By hand', dry: false });
results.push([created.id, created.note]);
results.push((await api.telephony.calls.update({ callId: created.id, note: 'Called back' })).note);
results.push((await api.telephony.calls.get({ callId: created.id })).note);
results.push((await api.telephony.calls.delete({ callId: created.id })) ?? 'deleted');
results.push(await api.telephony.calls.get({ callId: created.id }).catch(({ status }) => status));
const paths = createPathsClient(options((request) => sandbox.fetch(request)));
const byPath = await paths.telephony.POST('/calls', { body: { number: '1' } });
results.push(byPath.data.number);
const part = createTelephonyClient(options((request) => sandbox.fetch(request)));
results.push((await part.calls.get({ callId: 1 })).number);
results.push(createQuery(api).telephony.calls.get.key.join('.'));

const mock = await createMock();
const mocked = createClient(options((request) => mock.fetch(request)));
results.push(
  (
    await mocked.telephony.calls.list({
      states: ['done'],
      answered: true,
    })
  ).data.length,
);
results.push((await mocked.telephony.calls.create({ number: '1', dry: false })).id);
console.log(JSON.stringify({ results, sent }));
