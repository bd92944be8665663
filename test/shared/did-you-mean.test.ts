import { expect, test } from 'vitest';
import { closest, shorten, unknownName } from '../../src/shared/did-you-mean.ts';

const names = ['crm.contacts.list', 'crm.deals.list'];

test('a name is similar to a word if at most a quarter of its letters differ', () => {
  expect(closest('crm.contact.list', names)).toBe('crm.contacts.list');
  expect(closest('email.messages.send', names)).toBeUndefined();
});

test('does not compare a word that is far longer than every name', () => {
  let read = 0;
  // A comparison reads the letters of the name.
  const counted = new Proxy(new String('crm.deals.list'), {
    get(target, property) {
      if (typeof property === 'string' && /^\d+$/.test(property)) read += 1;
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as string;
  expect(closest('x'.repeat(3_000), [counted])).toBeUndefined();
  expect(read).toBe(0);
});

const kind = { one: 'option ', all: 'options' };

test('suggests the closest known name, and lists all', () => {
  expect(unknownName(['seed', 'stirct'], ['seed', 'strict'], kind)).toBe(
    'there is no option stirct. Did you mean strict? The options are seed, strict',
  );
  expect(unknownName(['x'], ['seed'], kind)).toBe('there is no option x. The options are seed');
  expect(unknownName(['seed'], ['seed'], kind)).toBeUndefined();
});

test('cuts names of more than 60 characters', () => {
  expect(shorten('n'.repeat(60))).toBe('n'.repeat(60));
  expect(shorten('n'.repeat(61))).toBe(`${'n'.repeat(60)}…`);
});
