import { describe, expect, it } from 'vitest';
import { curlSample } from '../../scripts/samples/curl.ts';
import { methodSample } from '../../scripts/samples/typescript.ts';
import { pathSample } from '../../scripts/samples/typescript-path.ts';
import type { SpecOperation } from '../../scripts/spec/model.ts';
import { operations } from './samples.ts';

function find(what: string, condition: (operation: SpecOperation) => unknown): SpecOperation {
  const found = operations.find(condition);
  if (!found) throw new Error(`No operation ${what}`);
  return found;
}

const several = find('has several examples', ({ body }) => Object.keys(body?.examples ?? {}).length > 1);

describe('the samples', () => {
  it.each([
    ['//', methodSample],
    ['//', pathSample],
    ['#', curlSample],
  ])('show each example of a body under its summary: %s %o', (comment, write) => {
    const summaries = Object.values(several.body?.examples ?? {}).map(({ summary }) => `${comment} ${summary}`);
    const lines = write(several).split('\n');
    expect(lines.filter((line) => line.startsWith(`${comment} `))).toEqual(summaries);
  });

  it('name a result once, and stay without comments where there is one example', () => {
    expect(methodSample(several).match(/^let \w+ = await /gm)).toHaveLength(1);
    expect(methodSample(several)).not.toContain('const result');
    const single = find('has one example', ({ body }) => Object.keys(body?.examples ?? {}).length === 1);
    expect(methodSample(single)).not.toMatch(/^\/\/|^let /m);
  });

  it('read a list in a loop, and leave its paging to it', () => {
    const list = find('pages by query', ({ operation }) => operation['x-pagination']?.in === 'query');
    expect(methodSample(list)).toContain('for await (const item of api.');
    expect(methodSample(list)).not.toMatch(/limit|offset/);
    expect(pathSample(list)).toMatch(/query: {[^}]*limit: \d+, offset: \d+/);
  });

  it('say how long to wait where a quota does not permit all examples at once', () => {
    const limited = find('has more examples than its quota', ({ operation, body }) => {
      const quota = operation['x-rate-limit'];
      return quota && Object.keys(body?.examples ?? {}).length > quota.requests;
    });
    expect(methodSample(limited)).toMatch(/^\/\/ Quota: \d+ requests? in \d+ \w+ per \w+\.$/m);
    const others = operations.filter((operation) => operation !== limited);
    expect(others.filter((operation) => curlSample(operation).includes('# Quota'))).toEqual([]);
  });

  it('show no credential: neither one to send, nor one that is had', () => {
    const anonymous = find('takes no credential', ({ operation }) => operation.security?.length === 0);
    expect(methodSample(anonymous)).toContain('auth: null');
    for (const write of [methodSample, pathSample]) expect(write(anonymous)).toContain('console.log(Object.keys(');
    expect(curlSample(anonymous)).not.toContain('Authorization');
    expect(curlSample(several)).toContain('"Authorization: Bearer $CARILLON_API_KEY"');
    expect(methodSample(several)).toContain('process.env.CARILLON_API_KEY');
  });
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
  --header "Authorization: Bearer $CARILLON_API_KEY" \\
  --header 'Content-Type: application/json' \\
  --data '{
  "name": "Ann'\\''s"
}'
`);
  });

  it('shows the query as it reads, and lets curl encode it', () => {
    const { body: _, ...read } = made;
    const from = { name: 'from', in: 'query', schema: {}, example: '2026-11-02 09:30' } as const;
    expect(
      command({ ...read, method: 'GET', parameters: [...made.parameters, from] }),
    ).toBe(`curl --fail-with-body --get \\
  "$base_url/crm/v1/deals/a%20b%24%22/files" \\
  --header "Authorization: Bearer $CARILLON_API_KEY" \\
  --data-urlencode 'from=2026-11-02 09:30'
`);
    const posted = { ...read, method: 'POST', parameters: [from] };
    expect(() => curlSample(posted)).toThrow('a curl sample has a query with GET only');
  });
});
