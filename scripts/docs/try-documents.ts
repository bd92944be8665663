import { listOperations, type Spec } from '../spec/model.ts';
import type { OperationObject, SpecDocument } from '../spec/schema.ts';
import { toDocument } from './document.ts';
import { firstSamples } from './samples.ts';

/** Data that the build passes to the page "Try it". */
export interface TryData {
  /** Address of the API in the specs. The page answers requests to it. */
  api: string;
  /** The sandbox's own page, as markup. */
  inside: string;
  documents: { name: string; title: string; content: SpecDocument }[];
}

/** @param inside - the sandbox's own page */
export function tryData(specs: readonly Spec[], inside = ''): TryData {
  const addresses = new Set(specs.map(addressOf));
  const [api] = addresses;
  if (api === undefined || addresses.size > 1) {
    throw new Error(`The specs name ${addresses.size} addresses as base_url; the page "Try it" needs one for all`);
  }
  const documents = specs.map((spec) => ({
    name: spec.name,
    title: spec.document.info.title,
    content: toTryDocument(spec, api),
  }));
  return { api, inside, documents };
}

function addressOf({ name, document }: Spec): string {
  const address = document.servers[0]?.variables?.base_url?.default;
  if (!address) throw new Error(`spec/${name}.yaml: the first server has no variable base_url with a default`);
  return address;
}

/**
 * The copy of a spec that Scalar shows. Scalar sends every request to the server of the document and ignores the servers
 * of operations, so the base path of each operation becomes part of its path.
 */
export function toTryDocument(spec: Spec, api: string): SpecDocument {
  // Scalar cannot choose a sample by example: its request has the examples.
  const document = toDocument(spec, undefined, firstSamples);
  const paths: SpecDocument['paths'] = {};
  for (const { base, path, method } of listOperations(spec)) {
    const { parameters, [method.toLowerCase()]: operation } = document.paths[path] ?? {};
    if (!operation || Array.isArray(operation)) throw new Error(`${method} ${path} is missing in the copy`);
    paths[base + path] = {
      ...(parameters && { parameters }),
      ...paths[base + path],
      [method.toLowerCase()]: withoutServers(operation),
    };
  }
  return { ...document, paths, servers: [{ url: api, description: 'The sandbox in this page.' }] };
}

function withoutServers({ servers, ...operation }: OperationObject): OperationObject {
  return operation;
}
