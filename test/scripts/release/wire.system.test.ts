import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Impact, Verdict } from '../../../scripts/release/verdict.ts';
import { type Change, diffSpecs, translate } from '../../../scripts/release/wire.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import type { SpecDocument } from '../../../scripts/spec/schema.ts';
import { drawMutations, mutate, originals } from './spec-mutations.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-wire-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Class of a mutation → the changes that this version of `redocly diff` reports for its first one. */
const known: Record<string, string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'redocly-diff.json'), 'utf8'),
);

let count = 0;
/** JSON is valid YAML. */
function write(document: SpecDocument): string {
  count += 1;
  const file = join(folder, `spec-${count}.yaml`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

const files = new Map(originals.map(({ name, document }) => [name, write(document)]));
const [crm] = originals;
if (crm?.name !== 'crm') throw new Error('The first spec is crm');

async function diff(before: Spec, after: Spec): Promise<{ changes: Change[]; verdicts: Verdict[] }> {
  const changes = await diffSpecs(files.get(before.name) ?? '', write(after.document));
  return { changes, verdicts: translate(before, after, changes) };
}

const summary = ({ typeName, kind, property, impact, verdicts }: Change): string =>
  [typeName, kind, property, impact, ...verdicts.map(({ ruleId }) => ruleId)].filter(Boolean).join(' ');

/** All wire mutations, and one of each class that belongs to the methods judge. */
const drawn = drawMutations(4).map(({ surface, mutations, ...rest }) => ({
  ...rest,
  surface,
  mutations: mutations.slice(0, surface === 'wire' ? 4 : 1),
}));

describe.each(drawn)('$name', ({ name, mutations, surface, breaks }) => {
  test.each(mutations)('at $place', async (mutation) => {
    const original = originals.find((spec) => spec.name === mutation.spec) ?? crm;
    const { changes, verdicts } = await diff(original, mutate(mutation));
    if (mutation === mutations[0]) expect([...new Set(changes.map(summary))].sort()).toEqual(known[name]);
    // The other mutations belong to the methods judge.
    const impact = breaks ? 'break' : 'addition';
    const place = expect.stringContaining(mutation.place);
    expect(verdicts).toEqual(surface === 'wire' ? [expect.objectContaining({ impact, place })] : []);
  });
});

const mutateCrm = (change: (document: SpecDocument) => unknown): Spec => {
  const document = structuredClone(crm.document);
  change(document);
  return { ...crm, document };
};

const sentences: [name: string, change: (document: SpecDocument) => unknown, impact: Impact, sentence: string][] = [
  [
    'a server moves',
    (document: SpecDocument) => void Object.assign(document.servers[0] ?? {}, { url: '{base_url}/crm/v2' }),
    'break',
    'Requests go to `{base_url}/crm/v2` instead of `{base_url}/crm/v1`. Change proxies and stubs of its paths.',
  ],
  [
    'a scheme changes',
    (document: SpecDocument) =>
      void Object.assign(document.components.securitySchemes?.bearerAuth ?? {}, { scheme: 'basic' }),
    'break',
    'Requests carry their credential in another way: `scheme` of `bearerAuth` is `basic` (before: `bearer`). Change credentials that you send yourself.',
  ],
  [
    'a call needs a credential like all others',
    (document: SpecDocument) =>
      void Reflect.deleteProperty(document.paths['/oauth/access_token']?.post ?? {}, 'security'),
    'break',
    '`crm.oauth.createToken` needs another credential: `bearerAuth`.',
  ],
  [
    'a call needs no credential',
    (document: SpecDocument) => void Object.assign(document.paths['/users']?.get ?? {}, { security: [] }),
    'addition',
    '`crm.users.list` also accepts no credential.',
  ],
];

test.each(sentences)('%s: one sentence', async (_, change, impact, sentence) => {
  const { verdicts } = await diff(crm, mutateCrm(change));
  expect(verdicts.map((verdict) => [verdict.impact, verdict.sentence])).toEqual([[impact, sentence]]);
});

test.each([
  ['node', { typeName: 'Callback', property: undefined }],
  ['property', { typeName: 'Operation', property: 'callbacks' }],
  ['extension', { typeName: 'Operation', property: 'x-colour' }],
  ['rule', { typeName: 'Operation', property: 'summary', verdicts: [{ ruleId: 'operation-became-slow' }] }],
])('an unknown %s stops the check', (_, change) => {
  const all: Change = { path: '#/paths/~1users/get', kind: 'modified', impact: 'patch', verdicts: [], ...change };
  expect(() => translate(crm, crm, [all])).toThrow('scripts/release/wire.ts');
});
