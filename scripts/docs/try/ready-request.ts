import type { JsonValue, MediaType, OperationObject, Parameter, SpecDocument } from '../../spec/schema.ts';
import type { TryData } from '../try-documents.ts';
import { linkKeys } from './console-link.ts';

type Documents = TryData['documents'];

/** The place of an operation in the console. */
export interface Place {
  /** Name of its document. */
  document: string;
  /** Id of its section, which is also its hash in the address. */
  section: string;
}

/** The last part of a tag's sections in the address. */
export function tagSlug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/**
 * Fills in the request that the address asks for. The console shows an operation's first example, so the values of the
 * address become that example.
 *
 * @param query - the address's query, such as `?operation=getDeal&dealId=501`
 * @returns `undefined` if the address names no operation, or none that exists
 */
export function fillRequest(documents: Documents, query: URLSearchParams): Place | undefined {
  const id = query.get(linkKeys.operation);
  for (const { name, content } of documents)
    for (const item of Object.values(content.paths))
      for (const operation of Object.values(item)) {
        if (Array.isArray(operation) || operation.operationId !== id) continue;
        const shared = Array.isArray(item.parameters) ? item.parameters : [];
        fillParameters(operation, shared, content, query);
        for (const media of Object.values(operation.requestBody?.content ?? {})) fillBody(media, query);
        return { document: name, section: `${name}/tag/${tagSlug(operation.tags[0] ?? '')}/${id}` };
      }
  return undefined;
}

function fillParameters(
  operation: OperationObject,
  shared: readonly Parameter[],
  document: SpecDocument,
  query: URLSearchParams,
): void {
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => {
    const { $ref, ...resolved } = resolve(parameter, document);
    const example = query.get(resolved.name);
    return example === null ? parameter : { ...resolved, example };
  });
  if (parameters.length > 0) operation.parameters = parameters;
}

function resolve(parameter: Parameter, { components }: SpecDocument): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : components.parameters?.[name]) ?? parameter;
}

function fillBody(media: MediaType, query: URLSearchParams): void {
  const name = query.get(linkKeys.example);
  const body = readJson(query.get(linkKeys.body));
  const { examples = {} } = media;
  const chosen = name === null ? undefined : examples[name];
  if (body !== undefined) media.examples = { [name ?? 'link']: { value: body }, ...examples };
  else if (name !== null && chosen) media.examples = { [name]: chosen, ...examples };
}

/** A body that is not JSON is left out: the console then shows an example. */
function readJson(text: string | null): JsonValue | undefined {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Opens the console at a section, once Scalar has rendered it. */
export function openWhenReady(console: Element, { section }: Place): void {
  const open = (): boolean => {
    const button = document.getElementById(section)?.querySelector('button.show-api-client-button');
    if (!(button instanceof HTMLElement)) return false;
    button.click();
    return true;
  };
  const observer = new MutationObserver(() => {
    if (open()) observer.disconnect();
  });
  observer.observe(console, { childList: true, subtree: true });
}
