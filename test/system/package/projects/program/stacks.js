import { createClient } from 'carillon';

// The stack trace of an error has the line that reads the call, in every version of Node. Prints the names of those that lack it.
const ways = {
  async awaited({ crm }) {
    await crm.deals.get({ dealId: 1 });
  },
  async withThen({ crm }) {
    await crm.deals.get({ dealId: 1 }).then((deal) => deal.id);
  },
  async withItsResponse({ crm }) {
    await crm.deals.get({ dealId: 1 }).withResponse();
  },
  async withAll({ crm }) {
    await Promise.all([crm.deals.get({ dealId: 1 })]);
  },
  async byPath({ crm }) {
    const { error } = await crm.GET('/deals/{dealId}', { params: { path: { dealId: 1 } } });
    throw error;
  },
  async firstPage({ crm }) {
    await crm.contacts.list();
  },
  async allItems({ crm }) {
    for await (const contact of crm.contacts.list()) console.log(contact);
  },
  async asArray({ crm }) {
    await crm.contacts.list().toArray({ max: 10 });
  },
};

const hang = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const failures = {
  NotFoundError: { fetch: async () => Response.json({}, { status: 404 }) },
  ConnectionError: { fetch: () => Promise.reject(new TypeError('fetch failed')) },
  DeadlineError: { fetch: hang, timeout: 20 },
};

const missing = [];
for (const [name, options] of Object.entries(failures)) {
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, maxRetries: 0, ...options });
  for (const [way, read] of Object.entries(ways)) {
    const error = await read(api).catch((reason) => reason);
    if (error.name !== name || !new RegExp(`at async .*\\b${way} .*stacks\\.js:`).test(error.stack))
      missing.push(`${name} ${way}`);
  }
}
console.log(missing.join(', ') || 'done');
