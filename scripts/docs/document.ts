import { listOperations, lookUp, type Spec, type SpecOperation } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';
import type { Server, SpecDocument } from '../spec/schema.ts';
import { describeExtensions, foldedExtensions } from './extensions.ts';
import { codeSamples } from './samples.ts';
import { walk } from './walk.ts';

/**
 * The copy of a spec that Redoc shows: extensions as Markdown, the server with its default filled in (Redoc treats
 * `{base_url}` as a relative path), and code samples.
 */
export function toDocument(spec: Spec): SpecDocument {
  const document = structuredClone(spec.document);
  const copy = { ...spec, document };
  for (const operation of listOperations(copy)) addSamples(operation);
  walk(document, foldExtensions);
  document.servers = document.servers.map(fillVariables);
  // Redoc shows the version in brackets after the title.
  if (document.info.version === 'unversioned') document.info.version = '';
  return document;
}

function addSamples(operation: SpecOperation): void {
  const { servers } = operation.operation;
  Object.assign(operation.operation, {
    'x-codeSamples': codeSamples(operation),
    'x-sdk': `api.${operation.spec.name}.${sdkOf(operation).method}`,
    ...(servers && { servers: servers.map(fillVariables) }),
  });
}

function foldExtensions(node: Record<string, unknown>, path: string[]): void {
  const blocks = describeExtensions(node, path);
  for (const key of foldedExtensions) delete node[key];
  // It limits nothing, and only tools that make up replies need it.
  if (node.minLength === 0) delete node.minLength;
  if (blocks.length === 0) return;
  const description = typeof node.description === 'string' ? [node.description.trim()] : [];
  node.description = [...description, ...blocks].join('\n\n');
}

function fillVariables(server: Server): Server {
  const { variables = {}, url, description } = server;
  const address = url.replace(/\{(\w+)\}/g, (whole, name) => variables[name]?.default ?? whole);
  const meanings = Object.values(variables).map(
    (variable) => `${variable.default} is a placeholder: ${variable.description}`,
  );
  return { url: address, description: [description, ...meanings].join(' ') };
}

/** Throws if a reference has no target, which Redoc would show as an empty space. */
export function checkReferences({ document }: Spec): void {
  walk(document, ({ $ref: reference }) => {
    if (typeof reference === 'string') lookUp(document, reference);
  });
}
