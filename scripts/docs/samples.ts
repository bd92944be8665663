import { methodCall } from '../generate/method-docs.ts';
import type { Operation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';

/** Redoc must know the labels: it drops samples under any other. */
export const sampleLanguages = [
  { lang: 'typescript', label: 'TypeScript' },
  { lang: 'bash', label: 'curl' },
] as const;

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Calls of the operation through the client and with curl, one for each example of its body. */
export function codeSamples(operation: Operation): CodeSample[] {
  const comments = { TypeScript: '//', curl: '#' };
  const write = { TypeScript: clientCall, curl: curlCommand };
  return sampleLanguages.map(({ lang, label }) => {
    const calls = branches(operation).map(([summary, branch], index, { length }) => {
      const call = write[label](branch);
      return length > 1 ? `${comments[label]} ${summary}\n${index > 0 ? withoutName(call) : call}` : call;
    });
    return { lang, label, source: calls.join('\n\n') };
  });
}

/** The operation once for each named example of its body, with that example alone; as it is without a body. */
function branches(operation: Operation): [summary: string, branch: Operation][] {
  const { body } = operation;
  const examples = Object.entries(body?.examples ?? {});
  if (!body || examples.length === 0) return [['', operation]];
  return examples.map(([name, example]) => [
    example.summary ?? name,
    { ...operation, body: { ...body, examples: { [name]: example } } },
  ]);
}

/** A sample names its result once. */
function withoutName(call: string): string {
  return call.replace(/^const result = /, '');
}

function clientCall(operation: Operation): string {
  const call = `${methodCall(operation, flatFields(operation))};`;
  return operation.success.schema ? `const result = ${call}` : call;
}

/** Required parameters of one place with their examples. */
function required({ parameters }: Operation, place: Parameter['in']): [string, JsonValue][] {
  return parameters
    .filter((parameter) => parameter.in === place && parameter.required)
    .map(({ name, example }) => [name, example ?? null]);
}

export function curlCommand(operation: Operation): string {
  const { method, path, base } = operation;
  const body = Object.values(operation.body?.examples ?? {})[0]?.value;
  const values = new Map(required(operation, 'path'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name) ?? name)));
  const query = new URLSearchParams(required(operation, 'query').map(([name, value]) => [name, String(value)]));
  const lines = [`curl --request ${method} "$BASE_URL${base}${filled}${query.size > 0 ? `?${query}` : ''}"`];
  const anonymous = operation.operation.security?.length === 0;
  if (!anonymous) lines.push('--header "Authorization: Bearer $TOKEN"');
  if (body !== undefined) {
    lines.push("--header 'Content-Type: application/json'");
    lines.push(`--data '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`);
  }
  return lines.join(' \\\n  ');
}
