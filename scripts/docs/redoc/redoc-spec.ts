import { casesOf } from '../../samples/cases.ts';
import { sampleLanguages } from '../../samples/languages.ts';
import { listOperations, lookUp, type Spec, type SpecOperation } from '../../spec/model.ts';
import type { OpenApi, Server } from '../../spec/schema.ts';
import { walk } from '../../spec/walk.ts';
import { operationPath } from '../addresses.ts';
import { describeExtensions, foldedExtensions } from '../facts/describe-extensions.ts';

/**
 * The copy of a spec that Redoc shows: extensions as Markdown, code samples, a link from each operation to its page on the
 * site, and servers with their default filled in (Redoc treats `{base_url}` as a relative path).
 *
 * @throws `Error` if a reference has no target, which Redoc would show as an empty space, or if an extension is malformed
 */
export function toRedocSpec(spec: Spec): OpenApi {
  checkReferences(spec);
  const openapi = structuredClone(spec.openapi);
  const added = new Map<object, string[]>();
  for (const operation of listOperations({ ...spec, openapi })) {
    const { servers } = operation.operation;
    added.set(operation.operation, [`[Run it, with a sample for each example](../..${operationPath(operation)})`]);
    Object.assign(operation.operation, {
      'x-codeSamples': firstSamples(operation),
      ...(servers && { servers: servers.map(fillVariables) }),
    });
  }
  walk(openapi, (node, path) => foldExtensions(node, path, added.get(node)));
  openapi.servers = openapi.servers.map(fillVariables);
  // Redoc shows the version in brackets after the title.
  if (openapi.info.version === 'unversioned') openapi.info.version = '';
  return openapi;
}

function foldExtensions(node: Record<string, unknown>, path: string[], added: string[] = []): void {
  const blocks = describeExtensions(node, path, added);
  for (const key of foldedExtensions) delete node[key];
  // A minimum of 0 only matters to tools that generate responses.
  if (node.minLength === 0) delete node.minLength;
  const described = typeof node.description === 'string' ? [node.description.trim()] : [];
  const all = [...described, ...blocks];
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

function checkReferences({ openapi }: Spec): void {
  walk(openapi, ({ $ref: reference }) => {
    if (typeof reference === 'string') lookUp(openapi, reference);
  });
}

/**
 * The samples of an operation's first example, one for each language, in the format of Redoc's `x-codeSamples`. The tests compile
 * and run the same text.
 */
export function firstSamples(operation: SpecOperation): { lang: string; label: string; source: string }[] {
  const [first] = casesOf(operation);
  return sampleLanguages.map(({ highlight, label, write }) => ({
    lang: highlight,
    label,
    source: write(first?.operation ?? operation).trimEnd(),
  }));
}
