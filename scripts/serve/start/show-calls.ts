import { inspect } from 'node:util';
import { Crm, createClient, isCarillonError } from '../../../src/client/index.ts';

/**
 * Calls a running sandbox and prints the calls as one program that a reader can paste, with each result as a comment.
 * Creates a deal and fails it, shows how a rule rejects an update, and sends and finds an email.
 */
export async function showCalls(baseUrl: string): Promise<void> {
  const api = createClient({ baseUrl, auth: { apiKey: 'any' } });
  console.log(`
import { Crm, createClient } from 'carillon';

const api = createClient({ baseUrl: '${baseUrl}', auth: { apiKey: 'any' } });`);

  const renewal = { pipelineId: 1, stepId: 11, name: 'First week', price: 300 };
  const deal = await show(
    `const renewal = { pipelineId: 1, stepId: 11, name: 'First week', price: 300 };
const deal = await api.crm.deals.create(renewal);`,
    api.crm.deals.create(renewal),
  );
  await show(
    'await api.crm.deals.update({ ...renewal, dealId: deal.id, status: Crm.DealStatus.Fail });',
    api.crm.deals.update({ ...renewal, dealId: deal.id, status: Crm.DealStatus.Fail }),
  );
  await showRejection(
    `const other = { dealId: deal.id, status: Crm.DealStatus.Fail, failReasonId: 999 };
await api.crm.deals.update({ ...renewal, ...other }).catch((error) => console.log(error.message));`,
    api.crm.deals.update({ ...renewal, dealId: deal.id, status: Crm.DealStatus.Fail, failReasonId: 999 }),
  );
  await show(
    `for await (const contact of api.crm.contacts.list({ firstName: 'Ann' })) console.log(contact.id, contact.firstName);`,
    api.crm.contacts
      .list({ firstName: 'Ann' })
      .toArray({ max: 1 })
      .then(([contact]) => `${contact?.id} ${contact?.firstName}`),
  );
  const message = {
    subject: 'Your plan renews soon',
    from: { name: 'Example Sales', email: 'sales@example.com' },
    to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
  };
  const sent = await show(
    `const sent = await api.email.messages.send({
  subject: 'Your plan renews soon',
  from: { name: 'Example Sales', email: 'sales@example.com' },
  to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
  html: '<p>Hello Ann</p>',
  text: 'Hello Ann',
});`,
    api.email.messages.send({ ...message, html: '<p>Hello Ann</p>', text: 'Hello Ann' }),
  );
  await show('await api.email.messages.get({ id: sent.id });', api.email.messages.get({ id: sent.id }));
}

async function show<Result>(code: string, pending: PromiseLike<Result>): Promise<Result> {
  const result = await pending;
  // Strings are already the code's output.
  const text =
    typeof result === 'string' ? result : inspect(result, { depth: 1, breakLength: Infinity, compact: true });
  console.log(`${code}\n${comment(text)}`);
  return result;
}

async function showRejection(code: string, pending: PromiseLike<unknown>): Promise<void> {
  try {
    await pending;
  } catch (error) {
    if (!isCarillonError(error, 'ApiError')) throw error;
    console.log(`${code}\n${comment(error.message)}`);
    return;
  }
  throw new Error('The sandbox accepted what a rule rejects');
}

/** A shortened comment line. */
function comment(text: string): string {
  const line = `// ${text.replaceAll(/\s+/g, ' ')}`;
  return line.length > 118 ? `${line.slice(0, 116)} …` : line;
}
