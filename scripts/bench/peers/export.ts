/** Reads a whole list with one client, contact by contact; prints how long it took and what memory it needed. */
import { createClient } from 'carillon';
import createOpenapiFetch from 'openapi-fetch';
import { crmOperations } from '../../../generated/crm/operations.ts';
import type { paths } from '../../../generated/crm/types.ts';
import type { ExportOutcome, ExportTask } from '../tasks.ts';

interface Contact {
  id: number;
}

const exports: Record<string, (task: ExportTask) => AsyncIterable<Contact>> = {
  'a loop over openapi-fetch': async function* ({ baseUrl, token, pageSize: limit }) {
    const headers = { Authorization: `Bearer ${token}` };
    const client = createOpenapiFetch<paths>({ baseUrl: baseUrl + crmOperations.base, headers });
    for (let offset = 0, total = limit; offset < total; offset += limit) {
      const { data, response } = await client.POST('/contacts/get-list', { body: { limit, offset } });
      if (!data) throw new Error(`The service answered with ${response.status}`);
      yield* data.data.list;
      total = data.data.total;
    }
  },

  'carillon by method': ({ baseUrl, token }) => createClient({ baseUrl, auth: { apiKey: token } }).crm.contacts.list(),
};

const task: ExportTask = JSON.parse(process.argv[2] ?? '');
const contacts = exports[task.client]?.(task);
if (!contacts) throw new Error(`There is no client '${task.client}'`);

const { gc } = globalThis;
if (!gc) throw new Error('Run it with --expose-gc');
/** Often enough to see growth; its time is taken off. */
const contactsPerCollection = 1_000;
let count = 0;
let sum = 0;
let liveBytes = 0;
let collecting = 0;
const started = performance.now();
for await (const { id } of contacts) {
  count += 1;
  sum += id;
  if (count % contactsPerCollection === 0) {
    const begun = performance.now();
    gc();
    liveBytes = Math.max(liveBytes, process.memoryUsage().heapUsed);
    collecting += performance.now() - begun;
  }
}
const milliseconds = performance.now() - started - collecting;
if (sum !== (count * (count + 1)) / 2) throw new Error('A contact came twice, or not at all');
const outcome: ExportOutcome = {
  contacts: count,
  milliseconds,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  liveBytes,
};
console.log(JSON.stringify(outcome));
