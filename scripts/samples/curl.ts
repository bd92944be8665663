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
  const { method, path, base, operationId } = operation;
  const body = Object.values(operation.body?.examples ?? {})[0]?.value;
  const values = new Map(exampleTexts(operation, 'path'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? name));
  const query = exampleTexts(operation, 'query');
  if (method !== 'GET' && query.length > 0) throw new Error(`${operationId}: a curl sample has a query with GET only`);
  const how = method === 'GET' ? '--get' : `--request ${method}`;
  const lines = [`curl --fail-with-body ${how}`, `"$base_url${base}${filled}"`];
  if (!isAnonymous(operation)) {
    lines.push(`--header "Authorization: Bearer \${${keyVariable}:-${sandboxKey}}"`);
  }
  lines.push(...query.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`));
  if (body !== undefined) {
    lines.push("--header 'Content-Type: application/json'", `--data ${quote(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function exampleTexts({ parameters }: SpecOperation, place: Parameter['in']): [string, string][] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example }) => [name, String(example ?? '')]);
}

/** Quotes a text as one shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
