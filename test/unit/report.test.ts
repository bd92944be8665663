import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compare, write } from '../../scripts/generate/disk.ts';
import { modelSpec } from '../../scripts/generate/operation-model.ts';
import { generateReport } from '../../scripts/generate/spec-report.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, resolve, type Spec } from '../../scripts/spec/model.ts';
import type { OperationObject, Schema } from '../../scripts/spec/schema.ts';

interface Mutation {
  title: string;
  spec: Spec['name'];
  change(spec: Spec): void;
  /** What each changed line is about. */
  about: RegExp;
  removed: number;
  added: number;
}

function operation(spec: Spec, operationId: string): OperationObject {
  const found = listOperations(spec).find((candidate) => candidate.operationId === operationId);
  return found?.operation ?? expect.fail(`There is no operation ${operationId}`);
}

function schema({ document }: Spec, name: string): Schema {
  return document.components.schemas[name] ?? expect.fail(`There is no schema ${name}`);
}

function property(spec: Spec, name: string, key: string): Schema {
  return schema(spec, name).properties?.[key] ?? expect.fail(`${name} has no ${key}`);
}

const mutations: Mutation[] = [
  {
    title: 'an operation is removed',
    spec: 'crm',
    change: ({ document }) => delete document.paths['/boards/{boardId}'],
    about: /^operation getBoard\b/,
    removed: 8,
    added: 0,
  },
  {
    title: 'an operation moves to another path',
    spec: 'crm',
    change: ({ document }) => {
      const { '/users': users = {}, ...others } = document.paths;
      document.paths = { ...others, '/members': users };
    },
    about: /^operation listUsers: GET /,
    removed: 1,
    added: 1,
  },
  {
    title: 'a limit is changed',
    spec: 'crm',
    change: (spec) => {
      const name = property(spec, 'DealCreate', 'name');
      name.maxLength = (name.maxLength ?? 0) + 1;
    },
    about: /^schema DealCreate\.name: string maxLength=/,
    removed: 1,
    added: 1,
  },
  {
    title: 'an enum value is dropped',
    spec: 'crm',
    change: (spec) => schema(spec, 'DealStatus').enum?.pop(),
    about: /^schema DealStatus enum /,
    removed: 1,
    added: 0,
  },
  {
    title: 'a required mark is taken away',
    spec: 'crm',
    change: (spec) => schema(spec, 'DealUpdate').required?.pop(),
    about: /^schema DealUpdate\.\w+: /,
    removed: 1,
    added: 1,
  },
  {
    title: 'a status is changed',
    spec: 'crm',
    change: (spec) => {
      const { responses } = operation(spec, 'deleteDeal');
      const { '204': gone, ...others } = responses;
      if (gone) operation(spec, 'deleteDeal').responses = { '200': gone, ...others };
    },
    about: /^operation deleteDeal status 20[04]$/,
    removed: 1,
    added: 1,
  },
  {
    title: 'a field is removed',
    spec: 'email',
    change: (spec) => delete schema(spec, 'EmailToSend').properties?.subject,
    about: /^schema EmailToSend\.subject: /,
    removed: 1,
    added: 0,
  },
  {
    title: 'a field may be null',
    spec: 'email',
    change: (spec) => {
      property(spec, 'EmailAddress', 'name').type = ['string', 'null'];
    },
    about: /^schema EmailAddress\.name: string/,
    removed: 1,
    added: 1,
  },
  {
    title: 'a parameter is added',
    spec: 'crm',
    change: (spec) => {
      operation(spec, 'listUsers').parameters = [{ name: 'role', in: 'query', schema: { type: 'string' } }];
    },
    about: /^operation listUsers query\.role: string$/,
    removed: 0,
    added: 1,
  },
  {
    title: 'the payload leaves its envelope',
    spec: 'crm',
    change: (spec) => {
      const { document } = spec;
      const media = resolve(document, operation(spec, 'getDeal').responses['200'] ?? expect.fail()).content;
      const body = media?.['application/json'] ?? expect.fail();
      body.schema = body.schema.properties?.data ?? expect.fail();
    },
    about: /^operation getDeal (payload|reply 200)/,
    removed: 3,
    added: 2,
  },
  {
    title: 'an error code is dropped',
    spec: 'messaging',
    change: (spec) => delete operation(spec, 'createCampaign')['x-errors']?.['3084'],
    about: /^operation createCampaign error 3084 -> messaging-template-approved$/,
    removed: 1,
    added: 0,
  },
  {
    title: 'a quota is changed',
    spec: 'email',
    change: (spec) => {
      const limit = operation(spec, 'requestEmailResubscription')['x-rate-limit'] ?? expect.fail();
      limit.requests += 1;
    },
    about: /^operation requestEmailResubscription rate limit /,
    removed: 1,
    added: 1,
  },
];

const loaded = specNames.map((name) => loadSpec(name));

/** A copy that a test may change. */
function copyOf(name: Spec['name']): Spec {
  const spec = loaded.find((candidate) => candidate.name === name) ?? expect.fail();
  return { ...spec, document: structuredClone(spec.document) };
}

function difference(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, fresh] = [before, after].map((text) => new Set(text.split('\n')));
  return {
    removed: [...(old ?? [])].filter((line) => !fresh?.has(line)),
    added: [...(fresh ?? [])].filter((line) => !old?.has(line)),
  };
}

const reportOf = (spec: Spec): string => generateReport(modelSpec(spec));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-report-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the compact report', () => {
  it.each(mutations)('shows in a few lines that $title, and is stale until it is regenerated', (mutation) => {
    const spec = copyOf(mutation.spec);
    const before = reportOf(spec);
    mutation.change(spec);
    const after = reportOf(spec);

    const { removed, added } = difference(before, after);
    for (const line of [...removed, ...added]) expect(line).toMatch(mutation.about);
    expect({ removed: removed.length, added: added.length }).toEqual({
      removed: mutation.removed,
      added: mutation.added,
    });

    const file = join(spec.name, 'report.txt');
    write(directory, new Map([[file, before]]));
    const output = new Map([[file, after]]);
    expect(compare(directory, output)).toEqual([{ file, kind: 'stale' }]);
    write(directory, output);
    expect(compare(directory, output)).toEqual([]);
  });

  it('does not change with words that nothing on the wire depends on', () => {
    const spec = copyOf('crm');
    const before = reportOf(spec);
    spec.document.info.description = 'Other words.';
    operation(spec, 'createDeal').summary = 'Other words';
    property(spec, 'DealCreate', 'name').description = 'Other words.';
    expect(reportOf(spec)).toBe(before);
  });

  it('has no line twice, and its lines in order', () => {
    const lines = reportOf(copyOf('crm')).trimEnd().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    expect([...lines].sort()).toEqual(lines);
  });
});
