import { literal } from '../generate/literal.ts';
import type { SpecOperation } from '../spec/model.ts';
import { defaultBaseUrl, environment, isAnonymous } from './parts.ts';

/** A complete program around calls of the client. */
export function program(operation: SpecOperation, calls: string): string {
  const auth = isAnonymous(operation) ? 'null' : `{ apiKey: process.env.${environment.apiKey} ?? '' }`;
  return `import { createClient } from 'carillon';

const api = createClient({
  baseUrl: ${literal(defaultBaseUrl(operation))},
  auth: ${auth},
});

${calls}
`;
}

/** The left side of an assignment. One variable takes the results of all examples in turn. */
export function declared(operation: SpecOperation, name: string, index: number, without = 0): string {
  const count = Object.keys(operation.body?.examples ?? {}).length - without;
  if (index > 0) return `${name} = `;
  return `${count > 1 ? 'let' : 'const'} ${name} = `;
}

/** The result of an operation without a credential is a credential: print its fields, not their values. */
export function show(operation: SpecOperation, value: string): string {
  return `console.log(${isAnonymous(operation) ? `Object.keys(${value})` : value});`;
}
