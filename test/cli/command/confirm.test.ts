import { describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { reasonToAsk } from '../../../src/cli/catalogue/needs-consent.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { exampleLine } from '../../../src/cli/command/method-help.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon, type Surroundings, shellWords } from '../../support/terminal.ts';

const asking = methods.filter((method) => reasonToAsk(method, [method.example]) !== undefined);

const changing = new Set(methods.filter(({ effect }) => effect !== 'read').map(({ id }) => id));

/** Calls a method with its example, without `--yes`. Returns the number of changing requests as `sent`. */
async function call(line: string, options: Pick<Surroundings, 'isTerminal' | 'answers' | 'input'>) {
  const sandbox = createSandbox();
  const args = shellWords(line)
    .slice(1)
    .filter((word) => word !== '--yes');
  const baseUrl = 'https://api.example.com';
  const connection = connectionTo({ baseUrl, auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  const ran = await carillon(args, { ...options, connect: async () => connection });
  // Requests that read data for the question do not count.
  const sent = sandbox.requests.filter(({ operation }) => changing.has(operation ?? '')).length;
  return { ...ran, sent };
}

describe('methods that ask', () => {
  it.each(asking.map((method) => [method.name, method] as const))(
    '%s: sends nothing without a terminal and --yes',
    async (_, method) => {
      const input = JSON.stringify(method.example);
      const { code, sent, errors } = await call(exampleLine(method), { input });
      expect([code, sent]).toEqual([exitCodes.unconfirmed, 0]);
      expect(errors).toContain('so a person must confirm the call');
      // Otherwise an agent with a shell would add the flag.
      expect(errors).not.toContain('--yes');
    },
  );

  it.each<[string, 'input' | 'error', string]>([
    ['the question cannot be seen', 'error', 'carillon crm deals delete 501'],
    ['the answer comes from a file', 'input', 'carillon crm deals delete 501'],
    ['the question cannot be seen', 'error', 'carillon api POST /crm/v1/unheard-of --input -'],
    ['the answer comes from a file', 'input', 'carillon api POST /crm/v1/unheard-of --input -'],
  ])('send nothing if %s, because standard %s is no terminal: %s', async (_, stream, line) => {
    const isTerminal = { input: true, output: true, error: true, [stream]: false };
    const { code, sent, errors } = await call(line, { isTerminal, answers: ['y'], input: '{}' });
    expect([code, sent]).toEqual([exitCodes.unconfirmed, 0]);
    expect(errors).not.toContain('Continue?');
  });

  it.each(['', 'n', 'no', 'yep', 'Y E S'])("the answer '%s' sends nothing", async (answer) => {
    const line = 'carillon crm deals delete 501';
    const { code, sent, errors } = await call(line, { isTerminal: true, answers: [answer] });
    expect([code, sent]).toEqual([exitCodes.unconfirmed, 0]);
    expect(errors).toContain(
      'Delete a deal (crm.deals.delete). This deletes data in a way that no call can undo.\nAt https://api.example.com, with:\n  - dealId: 501\n    record: "',
    );
  });

  it.each(['y', 'Y', 'yes'])("the answer '%s' makes the call once", async (answer) => {
    const { code, sent } = await call('carillon crm deals delete 501', { isTerminal: true, answers: [answer] });
    expect([code, sent]).toEqual([0, 1]);
  });

  it('methods that can be undone do not ask, and changing calls state the address once', async () => {
    const { code, sent, errors } = await call('carillon crm tags create --name VIP2', {});
    expect([code, sent]).toEqual([0, 1]);
    expect(errors.match(/https:\/\/api\.example\.com/g)).toHaveLength(1);
    expect((await call('carillon crm tags list', {})).errors).not.toContain('https://api.example.com');
    const asked = await call('carillon crm deals delete 501', { isTerminal: true, answers: ['y'] });
    expect(asked.errors.match(/https:\/\/api\.example\.com/g)).toHaveLength(1);
  });

  it('a dry run asks for no consent and sends nothing', async () => {
    const { code, sent, output } = await call('carillon crm deals delete 501 --dry-run', {});
    expect([code, sent, output]).toEqual([0, 0, expect.stringMatching(/^DELETE \{base_url\}\/crm\/v1\/deals\/501\n/)]);
  });

  it('a campaign that the service rejects in its test mode is not asked about', async () => {
    const { emulate: _, ...params } = { ...methods.find(({ name }) => name === 'messaging.campaigns.create')?.example };
    const input = JSON.stringify({ ...params, message_type: 3, template_id: 999, message: null });
    const line = 'carillon messaging campaigns create --input -';
    const { code, sent, errors } = await call(line, { isTerminal: true, answers: ['y'], input });
    expect([code, sent]).toEqual([exitCodes.rejected, 1]);
    expect(errors).toMatch(
      /^carillon: The person was not asked, because the service rejected the call in its test mode\. Nothing was sent\.\n.*\nsent: no .*\nnext: /,
    );
  });

  it('the question counts recipients, shortens long text, and removes bidirectional control characters', async () => {
    const to = JSON.stringify(Array.from({ length: 1_200 }, (_, at) => ({ email: `a${at}@example.com` })));
    const line = `carillon email messages send --subject '\u202eevil' --from email=a@example.com --to '${to}' --html '${'x'.repeat(900)}'`;
    const { errors, sent } = await call(line, { isTerminal: true, answers: ['n'] });
    expect(sent).toBe(0);
    expect(errors).toMatch(/^Send an email \(email\.messages\.send\)\. This reaches people or costs money\.\n/);
    expect(errors).toContain('\n  - to (1,200 items): [{"email":"a0@example.com"},');
    expect(errors).toContain('{"email":"a1199@example.com"}]');
    expect(errors).not.toContain('\u202e');
    expect(errors.length).toBeLessThan(2_500);
  });
});

describe('people in a form that is not documented', () => {
  const addresses = Array.from({ length: 500 }, (_, at) => ({ email: `a${at}@example.com`, comment: '' }));
  const path = methods.find(({ name }) => name === 'email.unsubscribes.add')?.path ?? '';

  it.each<[string, string, unknown]>([
    ['a list as the body of carillon api', `carillon api POST ${path} --input -`, addresses],
    [
      'an object with --unchecked',
      'carillon email unsubscribes add --unchecked --input -',
      { emails: { ...addresses } },
    ],
    ['a body without the documented field', `carillon api POST ${path} --input -`, { list: addresses }],
  ])('is asked about: %s', async (_, line, body) => {
    const { code, sent, errors } = await call(line, { input: JSON.stringify(body) });
    expect([code, sent]).toEqual([exitCodes.unconfirmed, 0]);
    expect(errors).toContain('affects an unknown number of people');
  });
});
