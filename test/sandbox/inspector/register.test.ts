import { expect, test } from 'vitest';
import { registerInspector } from '../../../src/sandbox/inspector/index.ts';

test('can be imported without a browser, and explains on use what it needs', () => {
  expect(() => registerInspector()).toThrow('The inspector requires a browser');
});
