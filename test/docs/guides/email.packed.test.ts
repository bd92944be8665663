import { expect, test } from 'vitest';
import { prepareGuide } from './program.ts';

async function prepare(): ReturnType<typeof prepareGuide> {
  const program = await prepareGuide('send-email');
  await program.write('contract.pdf', 'a contract');
  return program;
}

test('an unsubscribed customer gets no email, each other customer gets their own, and the file arrives unchanged', async () => {
  const { sandbox, run } = await prepare();
  const before = new Set(sandbox.state.email.messages.keys());
  expect(await run()).toMatchObject({ stderr: '', code: 0 });
  const sent = [...sandbox.state.email.messages.values()].filter(({ id }) => !before.has(id)).map(({ email }) => email);
  expect(sent.map(({ visible }) => visible.to.map(({ email }) => email))).toEqual([
    ['ann.kowal@example.com'],
    ['ann.kowal@example.com'],
    ['bounce.cleo@example.com'],
  ]);
  expect(sent[1]?.text).toMatch(/^Hello Ann, your Team plan/);
  const [request] = sandbox.requests.filter(({ operation }) => operation === 'sendEmailMessage');
  const attached = Buffer.from('a contract').toString('base64');
  expect(request?.body).toMatchObject({ email: { attachments_binary: { 'contract.pdf': attached } } });
});

test('an address on the list is skipped regardless of case', async () => {
  const { sandbox, run } = await prepare();
  const [entry] = sandbox.state.email.unsubscribed.values();
  if (!entry) throw new Error('Nobody is unsubscribed');
  sandbox.state.email.unsubscribed.set('ann.kowal@example.com', { ...entry, email: 'Ann.Kowal@Example.com' });
  expect((await run()).stdout).toContain('ann.kowal@example.com: unsubscribed, not sent');
});
