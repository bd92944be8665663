import { literal } from '../generate/typescript/literal.ts';
import { pascalCase } from '../generate/typescript/names.ts';
import type { SpecOperation } from '../spec/model.ts';
import { addressComment, isAnonymous, keyVariable, sandboxKey, sandboxUrl } from './parts.ts';

/** A complete program around a call of the client. */
export function program(operation: SpecOperation, call: string): string {
  const space = pascalCase(operation.spec.name);
  // Import the namespace of the constants if the call uses it.
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

/** An operation without a credential returns a credential, so print the names of its fields, not their values. */
export function show(operation: SpecOperation, value: string): string {
  return `console.log(${isAnonymous(operation) ? `Object.keys(${value})` : value});`;
}
