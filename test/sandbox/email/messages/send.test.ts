import { expect, test } from 'vitest';
import { send } from '../../raw.ts';
import { expectChoice, expectRule, start, unchecked } from '../../support.ts';
import { head, html, own, template, text } from '../examples.ts';

/** The stored email of a message. */
function sentEmail({ sandbox }: ReturnType<typeof start>, id: string) {
  return sandbox.state.email.messages.get(id)?.email;
}

test('an email has html with text, or a template [email-body-or-template]', async () => {
  const started = start();
  const { messages } = started.api.email;
  const { result, id } = await messages.send(own);
  expect(result).toBe(true);
  expect(sentEmail(started, id)).toMatchObject({ html, text });
  const fromTemplate = await messages.send(unchecked({ ...head, template, html: '', text: '' }));
  expect(sentEmail(started, fromTemplate.id)).toMatchObject({
    html: expect.stringContaining('<p>Hello Ann, your Team plan renews soon.</p>'),
    text: 'Hello Ann, your Team plan renews soon. https://shop.example.com/renew',
  });
  await messages.send(unchecked({ ...own, template: { id: '', variables: {} } }));

  const before = started.sandbox.snapshot().state;
  for (const wrong of [
    {},
    { text },
    { html },
    { template, html },
    { template, text },
    { ...own, template },
    { html: '', text: '' },
  ])
    await expectRule(messages.send(unchecked({ ...head, ...wrong })), 'email-body-or-template');
  expect(started.sandbox.snapshot().state).toEqual(before);
});

test('a template is named by its id or its real_id, as a number or a string [email-template-reference]', async () => {
  const started = start();
  const { messages } = started.api.email;
  const bodies: unknown[] = [];
  for (const id of [700, '700', 81700, '81700']) {
    const sent = await messages.send({ ...head, template: { ...template, id } });
    bodies.push(sentEmail(started, sent.id)?.html);
  }
  expect(new Set(bodies).size).toBe(1);
  for (const id of [1, 'renewal', ''])
    await expectRule(messages.send({ ...head, template: { ...template, id } }), 'email-template-reference');
});

test('fills in the variables of a template as text', async () => {
  const started = start();
  const { messages } = started.api.email;
  const filled = async (variables: Record<string, unknown>) => {
    const { id } = await messages.send({ ...head, template: { id: 703, variables } });
    return sentEmail(started, id)?.html;
  };
  expect(await filled({ first_name: 'Ann', other: 1 })).toBe('<p>Thank you, Ann!</p>');
  expect(await filled({ first_name: 7 })).toBe('<p>Thank you, 7!</p>');
  expect(await filled({ first_name: ['Ann', 'Ben'] })).toBe('<p>Thank you, ["Ann","Ben"]!</p>');
  expect(await filled({ first_name: null })).toBe('<p>Thank you, !</p>');
  expect(await filled({})).toBe('<p>Thank you, !</p>');
});

test('generates a missing text part on request [email-auto-plain-text]', async () => {
  const started = start();
  const { messages } = started.api.email;
  const textOf = async (content: object) =>
    sentEmail(started, (await messages.send(unchecked({ ...head, ...content }))).id)?.text;
  expect(await textOf({ html, auto_plain_text: true })).toBe('Hello Ann, renew now.');
  expect(await textOf({ html, text: '', auto_plain_text: true })).toBe('Hello Ann, renew now.');
  expect(await textOf({ html, text: 'My own', auto_plain_text: true })).toBe('My own');
  expect(await textOf({ template: { id: 703 }, auto_plain_text: true })).toBe('Thank you, !');
  expect(await textOf({ template: { id: 703 } })).toBeNull();
  for (const wrong of [{ html }, { html, auto_plain_text: false }, { text, auto_plain_text: true }])
    await expectRule(messages.send(unchecked({ ...head, ...wrong })), 'email-body-or-template');
});

test('shows copies in cc and hides those in bcc [email-copy-visibility]', async () => {
  const started = start();
  const [ben, olena] = [{ name: 'Ben Ito', email: 'ben.ito@example.com' }, { email: 'olena.marsh@example.com' }];
  const { id } = await started.api.email.messages.send({ ...own, cc: [ben], bcc: [olena] });
  expect(sentEmail(started, id)).toMatchObject({
    visible: { to: own.to, cc: [ben] },
    hidden: { bcc: [{ name: '', ...olena }] },
  });
  expect(JSON.stringify(sentEmail(started, id)?.visible)).not.toContain('olena');
  const without = await started.api.email.messages.send({ ...own, cc: [], bcc: [] });
  expect(sentEmail(started, without.id)).toMatchObject({ visible: { cc: [] }, hidden: { bcc: [] } });
});

test('rejects an email without a recipient or sender address', async () => {
  const { api } = start();
  const wrong = [
    { to: [] },
    { to: [{ name: 'Ann' }] },
    { to: [{ email: 'ann' }] },
    { cc: [JSON.parse('{}')] },
    { bcc: [{ email: '' }] },
    { from: JSON.parse('{}') },
  ];
  for (const fields of wrong) await expectChoice(api.email.messages.send({ ...own, ...fields }), 'email-address');
});

test('counts the decoded bytes of attachments', async () => {
  const { api } = start();
  const sizeOf = async (fields: object) => {
    const { id } = await api.email.messages.send({ ...own, ...fields });
    return Number((await api.email.messages.get({ id })).total_size);
  };
  const plain = await sizeOf({ attachments: {}, attachments_binary: {} });
  expect(plain).toBe(new TextEncoder().encode(own.subject + html + text).length);
  const attachments_binary = { 'offer.pdf': new Uint8Array([37, 80, 68, 70, 45, 49, 46, 55]) };
  expect(await sizeOf({ attachments: { 'offer.txt': 'Zażółć' }, attachments_binary })).toBe(plain + 10 + 8);
});

test('html and binary attachments are Base64 on the wire', async () => {
  const { sandbox } = start();
  const post = async (fields: object) => {
    const { status, headers } = await send(sandbox, 'POST /smtp/emails', {
      body: { email: { ...head, text, ...fields } },
    });
    return [status, headers.get('x-sandbox-choice')];
  };
  expect((await post({ html: btoa('<p>Hello</p>') }))[0]).toBe(200);
  expect(await post({ html: '<p>Hello</p>' })).toEqual([422, 'email-base64']);
  const attachments_binary = { 'offer.pdf': '%PDF' };
  expect(await post({ html: btoa('<p>Hello</p>'), attachments_binary })).toEqual([422, 'email-base64']);
});
