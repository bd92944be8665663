import { literal } from '../generate/literal.ts';
import { pascalCase } from '../generate/names.ts';
import type { SpecOperation } from '../spec/model.ts';
import { addressComment, isAnonymous, keyVariable, sandboxKey, sandboxUrl } from './parts.ts';

/** A complete program around a call of the client. */
export function program(operation: SpecOperation, call: string): string {
  const space = pascalCase(operation.spec.name);
  // The namespace of the constants, if the call has any.
  const names = new RegExp(`\\b${space}\\.[A-Z]`).test(call) ? `createClient, ${space}` : 'createClient';
  const key = `process.env.${keyVariable} ?? ${literal(sandboxKey)}`;
  return `import { ${names} } from 'carillon';

const api = createClient({
  // ${addressComment}
  baseUrl: ${literal(sandboxUrl)},
  auth: ${isAnonymous(operation) ? 'null' : `{ apiKey: ${key} }`},
});

${call}
`;
}

/** The result of an operation without a credential is a credential: print its fields, not their values. */
export function show(operation: SpecOperation, value: string): string {
  return `console.log(${isAnonymous(operation) ? `Object.keys(${value})` : value});`;
}
