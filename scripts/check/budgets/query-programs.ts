import { methodCall } from '../../generate/method-call.ts';
import { isQuery } from '../../generate/query-effects.ts';
import { repositoryRoot, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../spec/model.ts';
import { flatFields, sdkOf } from '../../spec/parameters.ts';
import { measureProgram } from './bundles.ts';
import type { Figure } from './figures.ts';

/** The query factory of an operation, such as `query.crm.deals.get.options`. Lists use the factory for pages. */
function factory(operation: SpecOperation): string {
  const kind = isQuery(operation) ? (operation.operation['x-pagination'] ? 'infinite' : 'options') : 'mutation';
  return `query.${operation.spec.name}.${sdkOf(operation).method}.${kind}`;
}

/** Calls the query factory of an operation with the first examples of its parameters. */
export function factoryCall(operation: SpecOperation): string {
  const { name } = operation.spec;
  const { method } = sdkOf(operation);
  const call = methodCall(operation, flatFields(operation), { constants: false });
  const params = call.slice(`await api.${name}.${method}(`.length, -1);
  return `${factory(operation)}(${isQuery(operation) ? params : ''})`;
}

/** A program that calls each factory once. */
export function queryProgram(operations: SpecOperation[]): string {
  return `import { createClient } from 'carillon';
import { createQuery } from 'carillon/query';
const query = createQuery(createClient({ baseUrl: 'https://api.example.com', auth: null }));
${operations.map((operation) => `${factoryCall(operation)};\n`).join('')}`;
}

/** Bytes that the query factories of one operation, and of all operations, add to a client. */
export async function measureQuery(): Promise<Figure[]> {
  const client = `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });\n`;
  const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
  const using = (used: SpecOperation[]): string => `import { createQuery } from 'carillon/query';
${client}const query = createQuery(api);
globalThis.used = [${used.map((each) => `${factory(each)}(params)`).join(', ')}];`;
  const measure = (program: string): Promise<number> => measureProgram(program, repositoryRoot);
  const without = await measure(`${client}globalThis.used = [api];`);
  const one = await measure(using(operations.slice(0, 1)));
  const all = await measure(using(operations));
  return [
    { name: 'carillon/query beside the client, one operation', unit: 'bytes', value: one - without },
    { name: 'carillon/query beside the client, every operation', unit: 'bytes', value: all - without },
  ];
}
