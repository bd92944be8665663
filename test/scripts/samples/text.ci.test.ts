import { describe, expect, it } from 'vitest';
import { casesOf } from '../../../scripts/samples/cases.ts';
import { curlSample } from '../../../scripts/samples/curl.ts';
import { sampleLanguages } from '../../../scripts/samples/languages.ts';
import { sandboxUrl } from '../../../scripts/samples/parts.ts';
import { methodSample } from '../../../scripts/samples/typescript.ts';
import { pathSample } from '../../../scripts/samples/typescript-path.ts';
import type { SpecOperation } from '../../../scripts/spec/model.ts';
import { readSandboxOptions } from '../../../src/sandbox/command/options.ts';
import { operations, samplesIn } from '../../support/samples.ts';

const samples = sampleLanguages.flatMap(({ id }) => samplesIn(id));

function find(what: string, condition: (operation: SpecOperation) => unknown): SpecOperation {
  const found = operations.find(condition);
  if (!found) throw new Error(`No operation ${what}`);
  return found;
}

function named(id: string): SpecOperation {
  return find(`is called ${id}`, ({ operationId }) => operationId === id);
}

const several = find('has several examples', ({ body }) => Object.keys(body?.examples ?? {}).length > 1);

describe('a sample', () => {
  it('makes one call, so that copying it never sends or creates something twice', () => {
    const calls = samples.map(({ name, text }) => [name, text.match(/^curl |\bawait api\.|\bof api\./gm)?.length]);
    expect(calls.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it('shows each example of a request exactly once in each language', () => {
    for (const { id } of sampleLanguages) {
      const texts = samplesIn(id).filter(({ operation }) => operation === several);
      expect(texts).toHaveLength(Object.keys(several.body?.examples ?? {}).length);
      expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
    }
  });

  it('of an operation that can validate without sending does so in its first example', () => {
    const emulating = operations.filter(({ body }) =>
      Object.values(body?.examples ?? {}).some(({ value }) => JSON.stringify(value).includes('"emulate":true')),
    );
    expect(emulating.map(({ operationId }) => operationId)).toEqual(['createCampaign']);
    for (const operation of emulating) {
      const [first] = casesOf(operation);
      expect(first && methodSample(first.operation)).toContain('emulate: true');
    }
  });

  it('calls the sandbox until its reader sets another address', () => {
    expect(new URL(sandboxUrl).port).toBe(String(readSandboxOptions({}).port));
    expect(samples.filter(({ text }) => !text.includes(sandboxUrl)).map(({ name }) => name)).toEqual([]);
    expect(samples.filter(({ text }) => text.includes('api.example.com')).map(({ name }) => name)).toEqual([]);
  });

  it('names the generated constants, by method and by path, also inside JSON and lists', () => {
    for (const write of [methodSample, pathSample]) {
      const text = write(named('createCampaign'));
      expect(text).toContain("import { createClient, Messaging } from 'carillon';");
      expect(text).toContain('message_type: Messaging.MessageType.Promo');
    }
    const texts = samplesIn('typescript').map(({ text }) => text);
    for (const name of ['Crm.ContactConditionExpression.Like', 'Messaging.PushUrlFilterType.Include']) {
      expect(texts.some((text) => text.includes(name))).toBe(true);
    }
    expect(curlSample(named('createCampaign'))).toContain('"message_type": 2');
  });

  it('reads a list in a loop without paging code', () => {
    const list = find('pages by query', ({ operation }) => operation['x-pagination']?.in === 'query');
    expect(methodSample(list)).toContain('for await (const item of api.');
    expect(methodSample(list)).not.toMatch(/limit|offset/);
    expect(pathSample(list)).toMatch(/query: {[^}]*limit: \d+, offset: \d+/);
  });

  it('shows no credential, neither a sent nor a returned one', () => {
    const anonymous = find('takes no credential', ({ operation }) => operation.security?.length === 0);
    expect(methodSample(anonymous)).toContain('auth: null');
    for (const write of [methodSample, pathSample]) expect(write(anonymous)).toContain('console.log(Object.keys(');
    expect(curlSample(anonymous)).not.toContain('Authorization');
    expect(curlSample(several)).toContain(`"Authorization: Bearer \${CARILLON_API_KEY:-any}"`);
    expect(methodSample(several)).toContain('process.env.CARILLON_API_KEY');
  });
});

it('no sample schedules for a time, or reads a period, that is over', () => {
  const ends = samples.flatMap(({ name, text }) =>
    Array.from(text.matchAll(/\b(?:send_date|to|updateTo|date)\b"?(?:: |=)['"](\d{4}-\d\d-\d\d)/g), ([, day = '']) => ({
      name,
      day,
    })),
  );
  expect(ends.length).toBeGreaterThan(5);
  expect(ends.filter(({ day }) => day < '2090')).toEqual([]);
});

describe('a curl command', () => {
  const made: SpecOperation = {
    ...several,
    path: '/deals/{dealId}/files',
    base: '/crm/v1',
    parameters: [{ name: 'dealId', in: 'path', required: true, schema: {}, example: 'a b$"' }],
  };
  const command = (operation: SpecOperation): string => curlSample(operation).split('\n\n').slice(1).join('\n\n');

  it('fills in the path, and quotes the body for the shell', () => {
    const body = { schema: {}, required: true, examples: { ann: { value: { name: "Ann's" } } } };
    expect(command({ ...made, method: 'POST', body })).toBe(`curl --fail-with-body --request POST \\
  "$base_url/crm/v1/deals/a%20b%24%22/files" \\
  --header "Authorization: Bearer \${CARILLON_API_KEY:-any}" \\
  --header 'Content-Type: application/json' \\
  --data '{
  "name": "Ann'\\''s"
}'
`);
  });

  it('shows the query in plain text, and lets curl encode it', () => {
    const { body: _, ...read } = made;
    const from = { name: 'from', in: 'query', schema: {}, example: '2026-11-02 09:30' } as const;
    expect(
      command({ ...read, method: 'GET', parameters: [...made.parameters, from] }),
    ).toBe(`curl --fail-with-body --get \\
  "$base_url/crm/v1/deals/a%20b%24%22/files" \\
  --header "Authorization: Bearer \${CARILLON_API_KEY:-any}" \\
  --data-urlencode 'from=2026-11-02 09:30'
`);
    // curl encodes the data of a GET only.
    expect(
      command({ ...read, method: 'POST', parameters: [...made.parameters, from] }),
    ).toBe(`curl --fail-with-body --request POST \\
  "$base_url/crm/v1/deals/a%20b%24%22/files?from=2026-11-02%2009%3A30" \\
  --header "Authorization: Bearer \${CARILLON_API_KEY:-any}"
`);
  });
});
