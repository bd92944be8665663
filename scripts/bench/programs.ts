import { methodCall } from '../generate/outputs/method-call.ts';
import { specNames } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';

/** How a client is called. */
interface Style {
  /** Imports, and a client. */
  start: string;
  call(operation: SpecOperation): string;
}

const startOwn = `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
`;

const styles: Record<string, Style> = {
  'openapi-fetch': { start: startOpenapiFetch(), call: pathCall },
  '@hey-api/openapi-ts': {
    start: specNames.map((name) => `import * as ${name} from '../${name}/index.js';\n`).join(''),
    call: heyApiCall,
  },
  'carillon by path': { start: startOwn, call: pathCall },
  'carillon by method': {
    start: startOwn,
    call: (operation) => methodCall(operation, flatFields(operation), { constants: false }),
  },
};

/**
 * Style → a program for a folder beside the generated clients, which calls each operation once with its first example. For
 * each spec, a last call must not compile: if models are `any`, the compiler does less work, and the figures are too good.
 */
export function writePrograms(operations: readonly SpecOperation[]): Record<string, string> {
  const wrong = specNames.map((name) => withWrongField(operations.filter(({ spec }) => spec.name === name)));
  const programs = Object.entries(styles).map(([style, { start, call }]) => {
    const calls = operations.map((operation) => `${call(operation)};\n`);
    const failing = wrong.map((operation) => `// @ts-expect-error\n${onOneLine(call(operation))};\n`);
    return [style, [start, ...calls, ...failing].join('')];
  });
  return Object.fromEntries(programs);
}

/** With the built declarations of the client. */
function startOpenapiFetch(): string {
  const declarations = '../../../../../src/client/dist/types/generated';
  const imports = specNames.map(
    (name) => `import type { paths as ${name} } from '${declarations}/${name}/types.js';\n`,
  );
  const clients = specNames.map((name) => `${name}: createClient<${name}>({ baseUrl: 'https://api.example.com' })`);
  return `import createClient from 'openapi-fetch';
${imports.join('')}const api = { ${clients.join(', ')} };
`;
}

/** A call by path, in the style of openapi-fetch. */
function pathCall(operation: SpecOperation): string {
  const { body, ...params } = exampleRequest(operation);
  const init = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) };
  const given = Object.keys(init).length > 0 ? `, ${JSON.stringify(init)}` : '';
  return `await api.${operation.spec.name}.${operation.method}(${JSON.stringify(operation.path)}${given})`;
}

function heyApiCall(operation: SpecOperation): string {
  const request = exampleRequest(operation);
  const given = Object.keys(request).length > 0 ? JSON.stringify(request) : '';
  return `await ${operation.spec.name}.${operation.operationId}(${given})`;
}

/** The first operation whose body has a string, with a number in its place. */
function withWrongField(operations: readonly SpecOperation[]): SpecOperation {
  for (const operation of operations) {
    const { body } = exampleRequest(operation);
    const [name] = Object.entries(body ?? {}).find(([, value]) => typeof value === 'string') ?? [];
    if (!operation.body || name === undefined) continue;
    const wrong = { value: { ...Object(body), [name]: 7 } };
    return { ...operation, body: { ...operation.body, examples: { wrong } } };
  }
  throw new Error('No body has a string that a call could replace with a number');
}

/** `@ts-expect-error` refers to one line. */
function onOneLine(code: string): string {
  return code.replaceAll(/\n\s*/g, ' ');
}

/** The first documented request, with only the parts that the operation has. */
export function exampleRequest(operation: SpecOperation): {
  path?: Record<string, JsonValue>;
  query?: Record<string, JsonValue>;
  body?: JsonValue;
} {
  const [example] = Object.values(operation.body?.examples ?? {});
  const path = exampleValues(operation, 'path');
  const query = exampleValues(operation, 'query');
  return { ...(path && { path }), ...(query && { query }), ...(example && { body: example.value }) };
}

function exampleValues({ parameters }: SpecOperation, place: Parameter['in']): Record<string, JsonValue> | undefined {
  const values = parameters.filter((parameter) => parameter.in === place);
  if (values.length === 0) return undefined;
  return Object.fromEntries(values.map(({ name, example }) => [name, example ?? null]));
}
