import { expect, it } from 'vitest';
import { closest } from '../../src/shared/closest.ts';

const names = ['crm.contacts.list', 'crm.deals.list'];

it('a name is similar to a word if at most a quarter of its letters differ', () => {
  expect(closest('crm.contact.list', names)).toBe('crm.contacts.list');
  expect(closest('email.messages.send', names)).toBeUndefined();
});

it('does not compare a word that is far longer than every name', () => {
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
