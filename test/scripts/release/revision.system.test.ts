import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelSpec } from '../../../scripts/generate/operation-model.ts';
import { generateReport } from '../../../scripts/generate/spec-report.ts';
import { lineOf } from '../../../scripts/release/changelog.ts';
import { judgeAll } from '../../../scripts/release/check.ts';
import { methodsJudge } from '../../../scripts/release/methods.ts';
import type { Release } from '../../../scripts/release/verdict.ts';
import { minVersion } from '../../../scripts/release/versions.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import type { OperationObject, SpecDocument } from '../../../scripts/spec/schema.ts';
import { originals } from './spec-mutations.ts';

const root = mkdtempSync(join(tmpdir(), 'carillon-revision-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A release with only the specs and reports, which are all that these judges read. */
function writeRelease(version: string, change: (spec: Spec) => void): Release {
  const folder = join(root, version);
  for (const original of structuredClone(originals)) {
    change(original);
    mkdirSync(join(folder, 'generated', original.name), { recursive: true });
    mkdirSync(join(folder, 'spec'), { recursive: true });
    writeFileSync(join(folder, 'spec', `${original.name}.yaml`), JSON.stringify(original.document));
    writeFileSync(join(folder, 'generated', original.name, 'report.txt'), generateReport(modelSpec(original)));
  }
  return { version, folder };
}

function operation({ paths }: SpecDocument, path: string, method: string): OperationObject {
  const found = paths[path]?.[method];
  if (!found || Array.isArray(found)) throw new Error(`There is no ${method} ${path}`);
  return found;
}

/** A fictional revision of the documents. */
function revise({ name, document }: Spec): void {
  const { schemas } = document.components;
  if (name === 'crm') {
    // A new resource.
    schemas.Invoice = {
      type: 'object',
      description: 'An invoice.',
      'x-source': '1 §2',
      required: ['id'],
      properties: { id: { type: 'integer' } },
    };
    const list = structuredClone(operation(document, '/users', 'get'));
    list.responses['200'] = {
      description: 'The invoices.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Invoice' } } },
          },
        },
      },
    };
    document.paths['/invoices'] = {
      get: { ...list, operationId: 'listInvoices', 'x-sdk': 'invoices.list', 'x-rules': [] },
    };
    // A field is renamed, and the old name still works.
    const fields = schemas.ContactCreate?.properties ?? {};
    fields.givenName = { type: 'string', description: 'Given name.' };
    fields.firstName = { ...fields.firstName, deprecated: true };
    // A limit is raised.
    const step = schemas.StepInput?.properties?.description;
    if (step) step.maxLength = 2000;
    // An operation is removed.
    delete document.paths['/boards']?.post;
  }
  if (name === 'messaging') {
    const create = operation(document, '/msgr', 'post');
    create['x-rules'] = [
      ...(create['x-rules'] ?? []),
      { id: 'messaging-quiet-hours', source: '2 §7', text: 'No campaign starts at night (3099).' },
    ];
    create['x-errors'] = {
      ...create['x-errors'],
      3099: { meaning: 'At night.', rule: 'messaging-quiet-hours', advice: 'Wait.' },
    };
  }
}

test('a revision of the documents gets the expected verdicts, each in a sentence', async () => {
  const base = writeRelease('1.0.0', () => undefined);
  const next = writeRelease('1.1.0', revise);
  const verdicts = await judgeAll([methodsJudge], base, next);
  expect(verdicts.map(({ surface, impact, sentence }) => `${impact} (${surface}): ${sentence}`)).toEqual([
    'break (methods): `crm.boards.create` (`POST /crm/v1/boards`) no longer exists. Remove its calls.',
    'addition (methods): `crm.invoices.list` (`GET /crm/v1/invoices`) is new.',
    'addition (methods): `ContactCreate.firstName` is deprecated in requests of `crm.contacts.create`.',
    'addition (methods): `ContactCreate.givenName` is new in requests of `crm.contacts.create`.',
    'addition (methods): `StepInput.description` now has `maxLength` 2000 (before: 500) in requests of `crm.pipelines.steps.create` and `crm.pipelines.steps.update`.',
    'addition (methods): `messaging.campaigns.create` can fail with the error code 3099 (rule `messaging-quiet-hours`).',
  ]);
  expect(minVersion(base.version, verdicts)).toBe('2.0.0');
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'upgrade.md'), 'utf8');
  expect(guide).toContain(`\`\`\`md\n${verdicts.map(lineOf).join('\n')}\n\`\`\``);
  expect(await judgeAll([methodsJudge], base, base)).toEqual([]);
});
