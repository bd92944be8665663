import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKeywords, withKeywordList } from '../../../../scripts/generate/keyword-list.ts';
import { repositoryRoot } from '../../../../scripts/spec/files.ts';
import { openapiKeywords, schemaKeywords } from './meta-schemas.ts';

const list = readKeywords();
/** Objects that only refused keywords lead to. */
const unreachable = {
  externalDocumentation: 'externalDocs',
  encoding: 'encoding',
  header: 'headers',
  link: 'links',
  oauthFlows: 'flows',
};

describe('the list of keywords', () => {
  test.each(Object.entries(openapiKeywords()))('has every keyword of OpenAPI 3.1 on %s', (kind, keywords) => {
    if (Object.hasOwn(unreachable, kind)) {
      const leading = Reflect.get(unreachable, kind);
      for (const { client, docs } of Object.values(list)) expect([...client, ...docs]).not.toContain(leading);
      return;
    }
    const { client = [], docs = [], refused = {} } = list[kind] ?? {};
    expect(keywords.length).toBeGreaterThan(0);
    expect([...client, ...docs, ...Object.keys(refused)]).toEqual(expect.arrayContaining(keywords));
  });

  test('has every keyword of JSON Schema 2020-12 on schemas, and the one that OpenAPI 3.1 dropped', () => {
    const { client = [], docs = [], refused = {} } = list.schema ?? {};
    expect([...client, ...docs, ...Object.keys(refused)].sort()).toEqual([...schemaKeywords(), 'nullable'].sort());
  });

  test('has each keyword once', () => {
    for (const [kind, { client, docs, refused }] of Object.entries(list)) {
      const names = [...client, ...docs, ...Object.keys(refused)];
      expect(new Set(names).size, kind).toBe(names.length);
    }
  });

  test('says for each refused keyword what to do', () => {
    for (const { refused } of Object.values(list))
      for (const reason of Object.values(refused)) expect(reason).toMatch(/write|remove|describe|built in|give/);
  });

  test('is in spec/README.md', () => {
    const page = readFileSync(join(repositoryRoot, 'spec', 'README.md'), 'utf8');
    expect(withKeywordList(page)).toBe(page);
  });
});
