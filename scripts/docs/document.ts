import { listOperations, lookUp, type Spec, type SpecOperation } from '../spec/model.ts';
import type { Server, SpecDocument } from '../spec/schema.ts';
import { walk } from '../spec/walk.ts';
import { describeExtensions, foldedExtensions } from './extensions.ts';
import { linkCodes } from './fact-links.ts';
import { type CodeSample, codeSamples } from './samples.ts';

/** Markdown blocks that a page adds to the description of an operation. */
export interface Additions {
  before: string[];
  after: string[];
}

/**
 * The copy of a spec that Redoc and Scalar show: extensions as Markdown, the server with its default filled in (Redoc
 * treats `{base_url}` as a relative path), and code samples.
 */
export function toDocument(
  spec: Spec,
  additionsOf: (operation: SpecOperation) => Additions = () => ({ before: [], after: [] }),
  samplesOf: (operation: SpecOperation) => CodeSample[] = codeSamples,
): SpecDocument {
  const document = structuredClone(spec.document);
  const copy = { ...spec, document };
  const additions = new Map<object, Additions>();
  for (const operation of listOperations(copy)) {
    additions.set(operation.operation, additionsOf(operation));
    addSamples(operation, samplesOf(operation));
  }
  walk(document, (node, path) => foldExtensions(node, path, additions.get(node)));
  document.servers = document.servers.map(fillVariables);
  // Redoc shows the version in brackets after the title.
  if (document.info.version === 'unversioned') document.info.version = '';
  return document;
}

function addSamples(operation: SpecOperation, samples: CodeSample[]): void {
  const { servers } = operation.operation;
  Object.assign(operation.operation, {
    'x-codeSamples': samples,
    ...(servers && { servers: servers.map(fillVariables) }),
  });
}

function foldExtensions(
  node: Record<string, unknown>,
  path: string[],
  { before, after }: Additions = { before: [], after: [] },
): void {
  const blocks = describeExtensions(node, path, after);
  for (const key of foldedExtensions) delete node[key];
  // It limits nothing, and only tools that make up replies need it.
  if (node.minLength === 0) delete node.minLength;
  const described = typeof node.description === 'string' ? [linkCodes(node.description.trim())] : [];
  const all = [...before, ...described, ...blocks];
  if (all.length > 0) node.description = all.join('\n\n');
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
