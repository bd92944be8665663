import { expect, it, vi } from 'vitest';
import { createMock } from '../../src/mock/index.ts';

it('createMock says in a browser what to use instead', () => {
  vi.stubGlobal('process', undefined);
  expect(createMock).toThrow(/^carillon-mock needs Node\. In a browser, use createSandbox/);
  vi.stubGlobal('process', { versions: {} });
  expect(createMock).toThrow(TypeError);
});
