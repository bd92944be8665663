import { exampleRequest, pathCall, programs } from '../../check/budgets/programs.ts';
import { specNames } from '../../spec/files.ts';
import type { SpecOperation } from '../../spec/model.ts';

/** Style → a program that calls every operation once, with the first examples of the specs. */
export function writePrograms(operations: SpecOperation[]): Record<string, string> {
  const { method, path } = programs;
  if (!method || !path) throw new Error('There are no programs by method and by path');
  return {
    'nothing but the compiler': 'export {};\n',
    'openapi-fetch': openapiFetchProgram(operations),
    '@hey-api/openapi-ts': heyApiProgram(operations),
    'carillon by path': path(operations),
    'carillon by method': method(operations),
  };
}

/** Over the types of openapi-typescript, as declarations: what its documentation shows. */
function openapiFetchProgram(operations: SpecOperation[]): string {
  const imports = specNames.map((name) => `import type { paths as ${name} } from './${name}.js';\n`);
  const clients = specNames.map((name) => `${name}: createClient<${name}>({ baseUrl: 'https://api.example.com' })`);
  const calls = operations.map((operation) => `${pathCall(operation)};\n`);
  return `import createClient from 'openapi-fetch';
${imports.join('')}const api = { ${clients.join(', ')} };
${calls.join('')}`;
}

function heyApiProgram(operations: SpecOperation[]): string {
  const imports = specNames.map((name) => `import * as ${name} from '../${name}/index.js';\n`);
  const calls = operations.map((operation) => {
    const request = exampleRequest(operation);
    const given = Object.keys(request).length > 0 ? JSON.stringify(request) : '';
    return `await ${operation.spec.name}.${operation.operationId}(${given});\n`;
  });
  return imports.join('') + calls.join('');
}
