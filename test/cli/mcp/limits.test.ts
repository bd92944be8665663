import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { checkParams } from '../../../src/cli/catalogue/check-names.ts';
import { checkValues } from '../../../src/cli/catalogue/check-values.ts';
import { findMethod, methods } from '../../../src/cli/catalogue/index.ts';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { invoke, maxNames } from '../../../src/cli/mcp/invoke.ts';
import { createSession } from '../../../src/cli/mcp/session.ts';
import { connectAgent, type Version, versions } from './connect.ts';

/** As many names as asked for, each similar to a parameter, so that each would be compared with all of them. */
function names(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`responsibleI${at}`, at]));
}

const create = 'crm.contacts.create';

describe('one agent does not stop the others', () => {
  it.each<[string, Record<string, unknown>]>([
    ['parameters', { method: create, params: names(20_000) }],
    ['the parameters of a call of a set', { method: create, calls: [{ responsibleId: 77 }, names(20_000)] }],
    ['a record in the parameters', { method: create, params: { responsibleId: 77, own: [names(20_000)] } }],
  ])('does not accept more than %s can have before it compares names', async (_, input) => {
    const agent = await connectAgent('2026-07-28');
    const { text, isError } = await agent.call('write', input);
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining(`an object with more than ${maxNames} properties. Nothing was sent.`),
    ]);
    expect(text.length).toBeLessThan(500);
    expect(agent.context.sandbox?.requests.length).toBe(0);
    await agent.close();
  });

  it.each(Object.keys(versions) as Version[])('does not accept deep parameters of a client of %s', async (version) => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 3_000; depth += 1) deep = { a: deep };
    const agent = await connectAgent(version);
    const { text } = await agent.call('write', { method: create, params: { responsibleId: deep } });
    expect(text).toContain('the parameters are nested more than 32 levels deep. Nothing was sent.');
    await agent.close();
  });

  it('does not accept too many fields, and long words and names', async () => {
    const agent = await connectAgent('2026-07-28');
    const fields = Array.from({ length: 20_000 }, (_, at) => `field${at}`);
    const read = await agent.call('read', { method: 'crm.contacts.list', fields });
    expect(read).toEqual({ isError: true, text: expect.stringContaining(`at most ${maxNames} fields`) });
    const long = 'contact '.repeat(20_000);
    const described = await agent.call('describe', { words: long });
    expect(described).toEqual({ isError: false, text: expect.stringContaining('crm.contacts') });
    const unknown = await agent.call('read', { method: long });
    expect(unknown.text).toMatch(/^There is no method "contact .{0,150} Similar: /);
    await agent.close();
  });

  it('suggests a name only for the first few unknown ones, in every method', () => {
    for (const method of methods) {
      const problems = checkParams(method, names(200));
      expect([method.name, problems.length <= 30]).toEqual([method.name, true]);
    }
    const update = findMethod('crm.deals.delete');
    expect(update && checkParams(update, { dealId: 1, ...names(200) }).at(-1)).toBe(
      'Number of further unknown parameters: 195.',
    );
  });

  it('lists only the first problems of values', () => {
    const send = findMethod('email.messages.send');
    const to = Array.from({ length: 20_000 }, () => ({ emial: 'a@example.com', x: 1 }));
    const problems = send && checkValues(send, { ...send.example, to });
    expect(problems?.length).toBeLessThanOrEqual(20);
  });

  it('lets other work go on between the calls of a set', async () => {
    const context = await createContext({ sandbox: true, warn() {}, version: '0' });
    const own = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]));
    // The last one is invalid, so that nothing is sent.
    const calls = Array.from({ length: 200 }, (_, at) => ({ ...own, ...(at < 199 && { responsibleId: 77 }) }));
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await turn();
        turns += 1;
      }
    })();
    const dialogue = { canAsk: true, signal: new AbortController().signal, session: createSession() };
    const { kind } = await invoke(context, { method: create, calls }, ['write'], dialogue);
    isOver = true;
    await others;
    expect(kind).toBe('failure');
    expect(turns).toBeGreaterThan(100);
  });
});
