import { expect, test } from 'vitest';
import * as carillon from '../../../src/client/index.ts';
import { readGuideText, readTable } from './tables.ts';

const classes = Object.keys(carillon).filter((name) => /^[A-Z]\w*Error$/.test(name));
const table = readTable('errors-reference', ['class', '`sent`', 'when']).map(([name = '']) => name.replaceAll('`', ''));

test('the reference lists every error class', () => {
  expect(table.sort()).toEqual(classes.sort());
});

test.for(classes.filter((name) => name !== 'CarillonError'))('the program provokes %s', (name) => {
  const [, output = ''] = readGuideText('errors-reference').split('```text output');
  expect(output).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
});
