import { expect, test } from 'vitest';
import { chosenLanguage, preferChosenLanguage } from '../../../scripts/docs/try/sample-language.ts';
import { tryData } from '../../../scripts/docs/try-documents.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';

const cookies = `other=1; redoc.appStore=${encodeURIComponent(JSON.stringify({ language: 'curl' }))}; last=2`;

test('the console shows samples first in the language that was chosen on a reference', () => {
  const { documents } = tryData([loadSpec('crm')]);
  const labels = (): string[] =>
    JSON.stringify(documents).match(/(?<="x-codeSamples":\[\{"lang":"\w+","label":")[^"]+/g) ?? [];
  expect(new Set(labels())).toEqual(new Set(['TypeScript']));
  preferChosenLanguage(documents, cookies);
  expect(labels().length).toBeGreaterThan(70);
  expect(new Set(labels())).toEqual(new Set(['curl']));
});

test.each(['', 'redoc.appStore=', 'redoc.appStore=%', 'redoc.appStore=null', 'redoc.appStore={}'])(
  'without a chosen language there is none: %j',
  (stored) => {
    expect(chosenLanguage(stored)).toBeUndefined();
  },
);

test('the console shows one sample for each language, since its request has the examples', () => {
  expect(JSON.stringify(tryData([loadSpec('messaging')]))).not.toMatch(/"label":"[^"]*\|/);
});
