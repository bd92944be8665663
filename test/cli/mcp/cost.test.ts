import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, expect, it } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { findMethod } from '../../../src/cli/catalogue/methods.ts';
import { maxTokens, writeResponse } from '../../../src/cli/mcp/result.ts';
import fc, { anyCharacter, samples } from '../../fast-check.ts';
import { connectAgent } from './connect.ts';

const agent = await connectAgent('2026-07-28');
afterAll(() => agent.close());

it('the instructions and the list of tools cost less than 1,500 tokens', async () => {
  const { tools } = await agent.client.listTools();
  const instructions = agent.client.getInstructions() ?? '';
  const cost = countTokens(instructions) + countTokens(JSON.stringify(tools));
  expect(tools.map(({ name }) => name)).toEqual(['describe', 'read', 'write', 'delete', 'send']);
  expect(cost, 'with more methods, raise it here and in docs/guides/agents.md').toBeLessThan(1_500);
  expect(cost).toBeGreaterThan(1_000);
  // npx vitest run test/cli/mcp/cost --update writes it.
  const text = `${cost} tokens\n\n${instructions}\n\n${JSON.stringify(tools, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'golden', 'tools.txt'));
});

it('the instructions name every method and mark its effect', () => {
  const marks = { read: '', write: '+', delete: '-', send: '!' };
  const lines = new Map(
    (agent.client.getInstructions() ?? '').split('\n').map((line) => {
      const [group = '', names = ''] = line.split(': ');
      return [group, names.split(' ')] as const;
    }),
  );
  const missing = methods.filter(({ words, effect }) => {
    const names = lines.get(words.slice(0, -1).join('.'));
    return !names?.includes(`${words.at(-1)}${marks[effect]}`);
  });
  expect(missing).toEqual([]);
});

it('every description fits in a result', async () => {
  const costs: number[] = [];
  for (const { name } of methods) {
    const { text } = await agent.call('describe', { methods: [name] });
    expect(text).toContain(`## ${name}\n`);
    costs.push(countTokens(text));
  }
  expect(Math.max(...costs)).toBeLessThanOrEqual(maxTokens);
  const names = methods.slice(0, 20).map(({ name }) => name);
  const { text } = await agent.call('describe', { methods: names });
  expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
});

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 3_000 }),
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  fc.string({
    unit: fc.constantFrom('a', 'Q', 'q', 'Z', 'x', '7', '\u200b', '\u{1f9d1}\u200d', '𒀱', 'ꙮ', '"', '\\', '\n'),
    maxLength: 20_000,
  }),
  fc.nat(50_000).map((length) => 'The quick brown fox. '.repeat(length / 21)),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.array(tie('tree'), { maxLength: 40 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 40 }),
  ),
}));

it.each(['crm.deals.get', 'crm.contacts.list'])('a response of %s fits, whatever its content', (name) => {
  const method = findMethod(name);
  if (!method) throw new Error(name);
  fc.assert(
    fc.property(tree, fc.nat(100), fc.boolean(), (value, from, isPage) => {
      const response = isPage ? { data: [value, value, value], total: 3, nextOffset: undefined } : value;
      expect(countTokens(writeResponse(method, response, { from: from % 3 }))).toBeLessThanOrEqual(maxTokens);
    }),
    { numRuns: samples(15), endOnFailure: true },
  );
});

it.each([
  ['letters', 'abcdefghijklmnopqrstuvwxyz'],
  ['letters of both cases', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['digits', '0123456789'],
  ['signs', '!#$%&()*+,-./:;<=>?@[]^_{|}~'],
  ['letters of other scripts', 'żółćждქაขतम한国ꙮ𒀱'],
])('a text of random %s fits', (_, letters) => {
  const method = findMethod('email.messages.get');
  const unit = fc.constantFrom(...letters);
  fc.assert(
    fc.property(fc.array(unit, { minLength: 14_000, maxLength: 14_000 }), (units) => {
      if (!method) throw new Error('email.messages.get');
      const html = units.join('');
      expect(countTokens(writeResponse(method, { html }, { fields: ['html'] }))).toBeLessThanOrEqual(maxTokens);
      const lines = html.match(/.{1,50}/gsu) ?? [];
      expect(countTokens(writeResponse(method, lines, {}))).toBeLessThanOrEqual(maxTokens);
    }),
    { numRuns: samples(1), endOnFailure: true },
  );
});

it('shows a list in parts, each item once', () => {
  const method = findMethod('crm.users.list');
  if (!method) throw new Error('crm.users.list');
  const items = Array.from({ length: 500 }, (_, id) => ({
    id,
    name: `Person ${id} ${'of a long line '.repeat(id % 9)}`,
  }));
  const seen: unknown[] = [];
  let from: number | undefined = 0;
  for (let calls = 0; from !== undefined && calls < 100; calls += 1) {
    const text = writeResponse(method, items, { from });
    seen.push(...JSON.parse(/<data \w+>\n(.*)\n<\/data/s.exec(text)?.[1] ?? ''));
    from = Number(/from: (\d+)/.exec(text)?.[1]) || undefined;
  }
  expect(seen).toEqual(items);
});

it('shows a long text in parts, each character once', () => {
  const method = findMethod('email.messages.get');
  if (!method) throw new Error('email.messages.get');
  const html = Array.from({ length: 9_000 }, (_, at) => `<p>${at}</p>`).join('');
  let seen = '';
  let from: number | undefined = 0;
  for (let calls = 0; from !== undefined && calls < 100; calls += 1) {
    const text = writeResponse(method, { id: 1, html }, { fields: ['html'], from });
    seen += /<data \w+>\n(.*)\n<\/data/s.exec(text)?.[1] ?? '';
    from = Number(/from: (\d+)/.exec(text)?.[1]) || undefined;
  }
  expect(seen).toBe(html);
});

it('shows only the selected fields, including those of nested records', () => {
  const method = findMethod('crm.deals.get');
  if (!method) throw new Error('crm.deals.get');
  const deal = { id: 7, name: 'Renewal', contacts: [{ id: 1, email: 'ann@example.com' }], 'a.b': 1 };
  const text = writeResponse(method, deal, { fields: ['id', 'contacts.email', 'a.b', 'price'] });
  expect(text).toContain('{"id":7,"contacts":[{"email":"ann@example.com"}],"a.b":1}');
});
