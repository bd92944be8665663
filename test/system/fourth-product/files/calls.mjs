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
const optionsOf = (server) => ({
  baseUrl: 'https://platform.example.com',
  auth: { apiKey: 'any' },
  validate: createResponseValidator({ onInvalid: 'throw' }),
  fetch: (url, init) => {
    const { pathname, search } = new URL(url);
    sent.push(`${init.method} ${pathname}${search} ${init.body ?? ''}`.trim());
    return server.fetch(new Request(url, init));
  },
});
const api = createClient(optionsOf(sandbox));
const part = createTelephonyClient(optionsOf(sandbox));
const paths = createPathsClient(optionsOf(sandbox));
const mocked = createClient(optionsOf(createMock()));

const { id, state } = await api.telephony.calls.create({ number: '+15550100199' });
const results = {
  created: [id, state === Telephony.CallState.Waiting],
  listed: (await api.telephony.calls.list()).data.length,
  missing: await api.telephony.calls.get({ callId: 7 }).catch(({ status }) => status),
  byPart: (await part.calls.get({ callId: id })).number,
  byPath: (await paths.telephony.GET('/calls/{callId}', { params: { path: { callId: 1 } } })).data.number,
  key: createQuery(api).telephony.calls.get.key,
  mocked: (await mocked.telephony.calls.list({ limit: 5 })).data.length,
};
console.log(JSON.stringify({ results, sent }));
