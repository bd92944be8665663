import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { observedPage } from '../../../scripts/docs/pages/observed.ts';

test('without observations, the page lists the points that replies can settle', () => {
  const { body } = observedPage('/none');
  expect(body).toContain('No account has sent observations yet.');
  expect(body).toMatch(/\| not seen \| \d\d \|/);
  expect(body).toMatch(/\| settled \| 0 \|/);
});

test('the page shows the findings with the number of accounts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const shape = (types: object, more: object) => ({ types, replies: 6, multiple: 3, ...more });
  const user = shape(
    { object: 12 },
    { fields: { id: shape({ integer: 12 }, {}), jobTitle: shape({ string: 9 }, {}) } },
  );
  const data = shape({ array: 6 }, { items: user });
  const body = { replies: 6, bodies: 6, body: shape({ object: 6 }, { fields: { data } }) };
  const file = join(folder, 'observed.json');
  const accounts = { '00000000-0000-4000-8000-000000000001': { listUsers: { 200: body } } };
  writeFileSync(file, JSON.stringify({ carillonObserved: 1, accounts }));
  const page = observedPage(file);
  expect(page.body).toContain('observed on 1 account, 6 replies');
  expect(page.body).toMatch(/Settled \(1\)[\s\S]*jobTitle: string in 9 of 12/);
});
