import { expect, test } from 'vitest';
import { registerInspector } from '../../../src/sandbox/inspector/index.ts';

test('the module can be imported if there is no browser, and says what it needs when it is used', () => {
  expect(() => registerInspector()).toThrow('The inspector needs a browser');
});
