import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { literal } from '../../scripts/docs/literal.ts';
import { codeSamples, curlCommand } from '../../scripts/docs/samples.ts';
import { renderExample } from '../../scripts/docs/start-page.ts';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Operation } from '../../scripts/spec/model.ts';

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));

/** What the compiler says of a program that stands only in memory, against the client's sources. */
function compile(source: string): string[] {
  const configuration = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(configuration.config, ts.sys, repositoryRoot);
  options.paths = { carillon: [join(repositoryRoot, 'src', 'index.ts')] };
  const file = join(import.meta.dirname, 'samples.virtual.ts');
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, language, ...rest) =>
    name === file ? ts.createSourceFile(name, source, language) : getSourceFile(name, language, ...rest);
  const program = ts.createProgram([file], options, host);
  const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return diagnostics.map(({ messageText, start = 0 }) => {
    const line = source.slice(0, start).split('\n').length;
    return `${source.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('the samples of the reference', () => {
  it('compile against the client, every one of them and the example of the start page', () => {
    const functions = operations.map((operation) => {
      const sample = codeSamples(operation).find(({ label }) => label === 'TypeScript');
      return `export async function ${operation.operationId}() {\n${sample?.source}\n}`;
    });
    expect(compile([renderExample(operations), ...functions].join('\n\n'))).toEqual([]);
  });

  it('do not compile with a misspelt field: the check looks at them', () => {
    const source = `import { createClient } from 'carillon';
const api = createClient({ baseUrl: '', auth: { apiKey: '' } });
await api.crm.deals.create({ pipelineId: 1, stepId: 2, naem: 'x' });`;
    expect(compile(source)).toEqual([expect.stringContaining('naem')]);
  });

  it('show each example of a body, under its summary where there are several', () => {
    const operation = operations.find(({ body }) => Object.keys(body?.examples ?? {}).length > 1);
    if (!operation) throw new Error('No operation has two examples');
    const summaries = Object.values(operation.body?.examples ?? {}).map((example) => example.summary);
    const [typescript, curl] = codeSamples(operation).map(({ source }) => source.split('\n'));
    expect(typescript).toEqual(expect.arrayContaining(summaries.map((summary) => `// ${summary}`)));
    expect(curl).toEqual(expect.arrayContaining(summaries.map((summary) => `# ${summary}`)));
  });
});

describe('a curl command', () => {
  const [operation] = operations;
  if (!operation) throw new Error('No operations');
  const made: Operation = {
    ...operation,
    path: '/deals/{dealId}/files',
    method: 'POST',
    base: '/crm/v1',
    body: { schema: {}, required: true, examples: { ann: { value: { name: "Ann's" } } } },
    parameters: [
      { name: 'dealId', in: 'path', required: true, schema: {}, example: 'a b' },
      { name: 'from', in: 'query', required: true, schema: {}, example: '2026-11-02 09:30' },
      { name: 'limit', in: 'query', schema: {}, example: 10 },
    ],
  };

  it('fills in required parameters, and quotes the body for the shell', () => {
    made.operation = { ...operation.operation, security: undefined };
    expect(curlCommand(made)).toBe(`curl --request POST "$BASE_URL/crm/v1/deals/a%20b/files?from=2026-11-02+09%3A30" \\
  --header "Authorization: Bearer $TOKEN" \\
  --header 'Content-Type: application/json' \\
  --data '{
  "name": "Ann'\\''s"
}'`);
  });

  it('sends no credential to an operation that takes none', () => {
    made.operation = { ...operation.operation, security: [] };
    expect(curlCommand(made)).not.toContain('Authorization');
  });
});

describe('a value as source code', () => {
  // In source code, `__proto__` names no property.
  const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

  it('means the value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(JSON.stringify(runInNewContext(`(${literal(json)})`)))).toEqual(json);
      }),
    );
  });

  it('stays on one line where it fits', () => {
    expect(literal({ id: 1, tags: ['a', "b's"], 'full-name': null })).toBe(
      `{ id: 1, tags: ['a', "b's"], "full-name": null }`,
    );
    expect(literal({ name: 'x'.repeat(60), ids: [1] })).toBe(`{\n  name: '${'x'.repeat(60)}',\n  ids: [1],\n}`);
  });
});
