import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf, methods, rulesOf } from '../../../src/cli/catalogue/index.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { kebab } from '../../../src/cli/command/names.ts';
import { carillon } from '../../support/terminal.ts';

const golden = (name: string): string => join(import.meta.dirname, 'golden', `${name}.txt`);

describe('--help', () => {
  it.each([
    ['carillon', []],
    ['crm', ['crm']],
    ['crm-contacts', ['crm', 'contacts']],
    ['crm-contacts-list', ['crm', 'contacts', 'list']],
    ['crm-deals-update', ['crm', 'deals', 'update']],
    ['crm-deals-delete', ['crm', 'deals', 'delete']],
    ['messaging-campaigns-create', ['messaging', 'campaigns', 'create']],
    ['email-messages-send', ['email', 'messages', 'send']],
    ['login', ['login']],
  ])('%s: matches its golden file (npx vitest run test/cli/command/help --update writes it)', async (name, words) => {
    const { code, output, errors } = await carillon([...words, '--help']);
    expect([code, errors]).toEqual([0, '']);
    await expect(output).toMatchFileSnapshot(golden(name));
  });

  it('of every method shows its effect, fields, rules, codes, quota and request', async () => {
    for (const method of methods) {
      const { output } = await carillon([...method.words.map(kebab), '--help']);
      const text = output.replace(/\s+/g, ' ');
      const flags = fieldsOf(method).map(({ name, in: place }) =>
        place === 'path' ? `<${kebab(name)}>` : `--${kebab(name)} `,
      );
      const told = [
        `Effect: ${method.effect} (`,
        `Request: ${method.method} ${method.path}`,
        ...flags.filter((flag) => flag !== '--client-secret '),
        ...(method.rules ?? []).map((rule) => rule.text.replace(/\s+/g, ' ')),
        ...Object.keys(method.errors ?? {}).map((code) => `code ${code}: `),
        ...(method.quota ? ['Quota: '] : []),
      ];
      expect([method.name, told.filter((part) => !text.includes(part))]).toEqual([method.name, []]);
    }
  });

  it('of every method states its rules without the IDs of other rules', () => {
    const rules = methods.flatMap((method) => [...method.rules, ...rulesOf(method.product)]);
    const ids = new Set(rules.map(({ id }) => id));
    const named = rules.filter(({ text }) => [...text.matchAll(/`([^`]+)`/g)].some(([, word = '']) => ids.has(word)));
    expect(ids.size).toBeGreaterThan(0);
    expect(named.map(({ id }) => id)).toEqual([]);
  });

  it('names every exit code', async () => {
    const { output } = await carillon(['--help']);
    for (const code of Object.values(exitCodes)) expect(output).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
  });

  it('is shown if there are no arguments, or only a group', async () => {
    expect((await carillon([])).output).toContain('Usage: carillon ');
    const group = await carillon(['crm', 'contacts']);
    expect([group.code, group.errors]).toEqual([
      exitCodes.usage,
      expect.stringContaining('Usage: carillon crm contacts'),
    ]);
  });
});
