import type { SpecOperation } from '../spec/model.ts';
import type { Parameter } from '../spec/schema.ts';
import { addressComment, isAnonymous, keyVariable, sandboxKey, sandboxUrl } from './parts.ts';

/** A Bash program that calls the operation with curl, using the first example of its request. */
export function curlSample(operation: SpecOperation): string {
  return `# ${addressComment}
base_url=${sandboxUrl}

${curlCommand(operation)}
`;
}

function curlCommand(operation: SpecOperation): string {
  const { method, path, base } = operation;
  const body = Object.values(operation.body?.examples ?? {})[0]?.value;
  const values = new Map(exampleStrings(operation, 'path'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? name));
  const query = exampleStrings(operation, 'query');
  // curl writes encoded data into the query of a GET only.
  const search = method === 'GET' || query.length === 0 ? '' : `?${query.map(encodePair).join('&')}`;
  const how = method === 'GET' ? '--get' : `--request ${method}`;
  const lines = [`curl --fail-with-body ${how}`, `"$base_url${base}${filled}${search}"`];
  if (!isAnonymous(operation)) {
    lines.push(`--header "Authorization: Bearer \${${keyVariable}:-${sandboxKey}}"`);
  }
  if (method === 'GET') lines.push(...query.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`));
  if (body !== undefined) {
    lines.push("--header 'Content-Type: application/json'", `--data ${quote(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function exampleStrings({ parameters }: SpecOperation, place: Parameter['in']): [string, string][] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .flatMap(({ name, example = '' }) => [example].flat().map((item): [string, string] => [name, String(item)]));
}

function encodePair([name, value]: [string, string]): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** Quotes a string as one shell word. */
function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
