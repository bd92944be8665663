import { expect, test } from 'vitest';
import { cleanCause } from '../../../src/client/core/cause.ts';
import { Redactor } from '../../../src/client/core/redact.ts';

const clean = (error: unknown): Error | undefined => cleanCause(error, new Redactor(['hunter22']));

/** The error and its causes. */
function chainOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}

test('copies name, message and code, and hides secrets in them', () => {
  const error = Object.assign(new TypeError('hunter22 failed'), { code: 'EFAIL', token: 'hunter22' });
  const copy = clean(error);
  expect(copy).toMatchObject({ name: 'TypeError', code: 'EFAIL' });
  expect(copy?.message).toMatch(/^(?!.*hunter22).* failed$/);
  expect(copy).not.toHaveProperty('token');
  expect(copy?.stack).toMatch(/^TypeError: .* failed\n +at /);
  expect(copy?.stack).not.toContain('hunter22');
});

test('says which object is a cause that is no error, such as the Response that MSW throws', () => {
  const error = new TypeError('Failed to fetch', { cause: Response.error() });
  expect(chainOf(clean(error)).map(String)).toEqual([
    'TypeError: Failed to fetch',
    'Error: The cause has type Response',
  ]);
  expect(clean('a text')?.message).toBe('a text');
});

test('copies five errors of a chain, which can be circular', () => {
  const error = new Error('circular');
  error.cause = new Error('inner', { cause: error });
  expect(chainOf(clean(error)).map(String)).toEqual([
    'Error: circular',
    'Error: inner',
    'Error: circular',
    'Error: inner',
    'Error: circular',
  ]);
});

test('copies five errors of an aggregate, without those that are no errors', () => {
  const errors = [undefined, ...['a', 'b', 'c', 'd', 'e'].map((name) => new Error(name))];
  expect(Reflect.get(Object(clean(new AggregateError(errors))), 'errors')).toMatchObject(
    ['a', 'b', 'c', 'd'].map((message) => ({ message })),
  );
});

test('copies ten errors in all', () => {
  const tree = (depth: number): Error =>
    new AggregateError(depth === 0 ? [] : [1, 2, 3, 4].map(() => tree(depth - 1)), `depth ${depth}`);
  const count = (error: unknown): number => {
    const errors: unknown = Reflect.get(Object(error), 'errors');
    return 1 + (Array.isArray(errors) ? errors.reduce((sum: number, one) => sum + count(one), 0) : 0);
  };
  expect(count(clean(tree(3)))).toBe(10);
});

test('calls a value without a name an Error, without stack frames', () => {
  expect(clean('broken')?.stack).toBe('Error: broken');
  expect(clean(undefined)).toBeUndefined();
});

test('omits an error whose properties throw', () => {
  const broken = {
    get message(): string {
      throw new Error('a getter failed');
    },
  };
  expect(clean(broken)).toBeUndefined();
  expect(clean(new Error('outer', { cause: broken }))).toMatchObject({ message: 'outer', cause: undefined });
});

test('reads frames after a message of any length', () => {
  const error = new Error('failed\n'.repeat(100_000));
  error.stack = `${error.message}\n    at first (file.js:1:1)\n    at second (file.js:2:1)`;
  expect(clean(error)?.stack).toBe('Error: [redacted]\n    at first (file.js:1:1)\n    at second (file.js:2:1)');
});
