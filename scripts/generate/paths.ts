import { deriveEnvelope, type Envelope } from '../spec/envelope.ts';
import { listOperations, type Operation, resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { literal } from './operations.ts';
import { typeOf } from './typescript.ts';

/**
 * `paths.ts`: for each method and path, the arguments of a call by path and the type of what comes back.
 * Written out, so that the compiler looks a call up instead of inferring it through conditional types.
 */
export function generatePaths(spec: Spec): string {
  const operations = listOperations(spec);
  const methods = [...new Set(operations.map((operation) => operation.method))].sort();
  const groups = methods.map((method) => {
    const entries = operations.filter((operation) => operation.method === method).map(entry);
    return `  /** Operations that are called by \`${method}\`. */\n  ${method}: {\n${entries.join('')}  };\n`;
  });
  const name = `${spec.name.charAt(0).toUpperCase()}${spec.name.slice(1)}Paths`;
  return `${header(`spec/${spec.name}.yaml`)}
import type { CallOptions } from '../../src/core/options.ts';
import type * as Models from './models.ts';
import type { operations } from './types.ts';

/** Every path of the spec: arguments, payload and meta data of a call by path. */
export interface ${name} {
${groups.join('')}}
`;
}

function entry(operation: Operation): string {
  const envelope = deriveEnvelope(operation);
  const { summary, deprecated } = operation.operation;
  return `    /** ${summary}.${deprecated ? ' @deprecated' : ''} */
    ${literal(operation.path)}: {
      args: ${args(operation)};
      data: ${payload(operation, envelope)};
      meta: ${meta(operation, envelope)};
    };
`;
}

function args(operation: Operation): string {
  const own = `operations['${operation.operationId}']`;
  const places = (['path', 'query'] as const).flatMap((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    if (parameters.length === 0) return [];
    const required = parameters.some((parameter) => parameter.required);
    return [{ text: `${place}${required ? '' : '?'}: ${own}['parameters']['${place}']`, required }];
  });
  const parts: { text: string; required: boolean }[] = [];
  if (places.length > 0) {
    const required = places.some((place) => place.required);
    parts.push({ text: `params${required ? '' : '?'}: { ${places.map((p) => p.text).join('; ')} }`, required });
  }
  if (operation.body) {
    const { required } = operation.body;
    const body = required ? `${own}['requestBody']` : `NonNullable<${own}['requestBody']>`;
    parts.push({ text: `body${required ? '' : '?'}: ${body}['content']['application/json']`, required });
  }
  if (parts.length === 0) return '[init?: CallOptions]';
  const required = parts.some((part) => part.required);
  return `[init${required ? '' : '?'}: CallOptions & { ${parts.map((part) => part.text).join('; ')} }]`;
}

function body(operation: Operation): string {
  return `operations['${operation.operationId}']['responses'][${operation.success.status}]['content']['application/json']`;
}

/** Named by its model, as methods name it: a field that a user adds to a model is on both levels. */
function payload(operation: Operation, envelope: Envelope): string {
  if (envelope.empty || !operation.success.schema) return 'undefined';
  let { schema } = operation.success;
  for (const key of envelope.keys) schema = resolve(operation.spec.document, schema).properties?.[key] ?? schema;
  return typeOf(schema, { spec: operation.spec, prefix: 'Models.' }, '      ');
}

/** What stands beside the payload; the members of a sibling named `meta` are lifted out of it. */
function meta(operation: Operation, envelope: Envelope): string {
  if (!envelope.meta || !operation.success.schema) return 'undefined';
  const { document } = operation.spec;
  const members: string[] = [];
  let schema: Schema = resolve(document, operation.success.schema);
  let expression = body(operation);
  for (const key of envelope.keys) {
    for (const [name, sibling] of Object.entries(schema.properties ?? {})) {
      if (name === key) continue;
      const place = `${expression}['${name}']`;
      const lifted = name === 'meta' ? resolve(document, sibling) : undefined;
      if (lifted)
        for (const inner of Object.keys(lifted.properties ?? {})) members.push(`${inner}: ${place}['${inner}']`);
      else members.push(`${name}: ${place}`);
    }
    const next = schema.properties?.[key];
    if (next) schema = resolve(document, next);
    expression += `['${key}']`;
  }
  return `{ ${members.join('; ')} }`;
}
