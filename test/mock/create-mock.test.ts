import { expect, it, vi } from 'vitest';
import { createMock } from '../../src/mock/index.ts';

it.each([{ x: 1 }, {}, null, 5])('createMock takes no options, such as %j', (given) => {
  const create = createMock as (...given: unknown[]) => unknown;
  expect(() => create(given)).toThrow(new TypeError('createMock takes no options'));
});

it('createMock says in a browser what to use instead', () => {
  vi.stubGlobal('process', undefined);
  expect(createMock).toThrow(/^carillon-mock requires Node\. In a browser, use createSandbox/);
  vi.stubGlobal('process', { versions: {} });
  expect(createMock).toThrow(TypeError);
});
