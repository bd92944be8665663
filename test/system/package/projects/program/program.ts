import type * as Carillon from 'carillon';

/**
 * Makes the first calls of a program, on every runtime, against the mock. Returns a line for each success and throws at the first
 * failure.
 *
 * @param carillon - the package, however the runtime loads it
 */
export async function run(carillon: typeof Carillon, baseUrl: string): Promise<string[]> {
  const sent: string[] = [];
  const api = carillon.createClient({
    baseUrl,
    auth: { apiKey: 'any' },
    showBodies: true,
    middleware: [{ onRequest: ({ body }) => void sent.push(body ?? '') }],
  });

  const deal = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });
  expect(Number.isInteger(deal.id), 'a new deal has an id');

  const names: (string | undefined)[] = [];
  for await (const contact of api.crm.contacts.list({ firstName: 'Ann' })) names.push(contact.firstName);
  expect(names.includes('Ann'), 'contacts are listed');

  const file = new TextEncoder().encode('Größe');
  const email = await api.email.messages.send({
    subject: 'Your plan renews soon',
    from: { name: 'Example Sales', email: 'sales@example.com' },
    to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
    html: '<p>Hello</p>',
    text: 'Hello',
    attachments_binary: { 'offer.txt': file },
  });
  expect(email.id !== '', 'an email has an id');
  expect(sent.at(-1)?.includes(btoa(String.fromCharCode(...file))) === true, 'an attachment goes out in Base64');

  const endless = 'x'.repeat(100_000);
  const rejected = await failure(api.crm.deals.create({ pipelineId: 1, stepId: 11, name: endless }));
  expect(carillon.isCarillonError(rejected, 'UnprocessableEntityError'), 'the guard recognizes a rejected request');
  expect(rejected instanceof carillon.UnprocessableEntityError, 'and by its class');
  const stranger = await failure(carillon.createClient({ baseUrl, auth: null }).crm.users.list());
  expect(carillon.isCarillonError(stranger, 'AuthenticationError'), 'the guard recognizes a missing credential');

  const controller = new AbortController();
  const reason = new Error('The user left');
  const aborted = failure(api.crm.users.list({ signal: controller.signal }));
  controller.abort(reason);
  expect((await aborted) === reason, 'an abort rethrows its reason');

  // A page's own fetch must be called without a receiver.
  const { fetch } = globalThis;
  const users = await carillon.createClient({ baseUrl, auth: { apiKey: 'any' }, fetch }).crm.users.list();
  expect(users.length > 0, "the platform's fetch can be given");

  return ['method', 'list', 'attachment', 'rejection', 'abort', 'fetch'];
}

function expect(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`It does not hold that ${claim}`);
}

/** The error of a failing call. */
async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('A call that should fail did not');
}
