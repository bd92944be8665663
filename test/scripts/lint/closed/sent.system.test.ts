import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateMethods } from '../../../../scripts/generate/methods.ts';
import { generateModels } from '../../../../scripts/generate/models.ts';
import { modelSpec } from '../../../../scripts/generate/operation-model.ts';
import { generateOperations } from '../../../../scripts/generate/operation-table.ts';
import { parseSource } from '../../../../scripts/lint/source.ts';
import { type Finding, lintEach } from '../../../../scripts/lint/specs.ts';
import type { Spec } from '../../../../scripts/spec/model.ts';
import { assemble } from '../../../../src/client/assemble.ts';
import { createPart } from '../../../../src/client/part.ts';
import { broken } from '../mutation.ts';
import { sentEdits } from './sent.ts';

let folder: string;
let findings: Finding[];
const texts = sentEdits.map(({ changes }) => broken(changes));

/** One run for all edits, each in its own file. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const written = texts.map((text, index) => {
    writeFileSync(join(folder, `${index}.yaml`), text);
    return parseSource(join(folder, `${index}.yaml`), text);
  });
  findings = await lintEach(written);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The model of a spec. Its token operation takes no client credentials, so it keeps its credential. */
function modelOf(index: number) {
  const document: Spec['document'] = parseSource('small.yaml', texts[index] ?? '').tree.toJS();
  const token = document.paths['/token']?.post;
  if (token && !Array.isArray(token)) delete token.security;
  return modelSpec({ name: 'email', file: 'small.yaml', document });
}

/** The generated table of operations, as the client gets it. */
function tableOf(source: string) {
  const [, table = ''] = /export const emailOperations = (\{[\s\S]*?\n\}) as const;/.exec(source) ?? [];
  return new Function(`return ${table}`)();
}

interface Sent {
  request: string;
  body: string | undefined;
}

/** A client of the table whose `fetch` records requests and answers with an example. */
function recordingClient(source: string, answer: unknown) {
  const sent: Sent[] = [];
  const client = assemble(
    {
      baseUrl: 'https://api.example.com',
      auth: null,
      logger: { warn: () => undefined },
      fetch: async (url, init) => {
        sent.push({
          request: `${init?.method} ${String(url).slice('https://api.example.com'.length)}`,
          body: init?.body as string | undefined,
        });
        return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
      },
    },
    (settings, authorizer) =>
      createPart<Record<string, never>, Record<string, unknown>>(tableOf(source), settings, authorizer),
  );
  return { client, sent };
}

describe('an edit that lint accepts is sent as the spec says:', () => {
  test.each(sentEdits.map((row, index) => ({ ...row, index })))(
    '$edit',
    async ({ index, call, sends, type, returns }) => {
      expect(findings.filter(({ file }) => basename(file) === `${index}.yaml`)).toEqual([]);
      const model = modelOf(index);
      const [method, params] = call;
      const operation = model.operations.find(({ place }) => place === method);
      const [example] = Object.values(operation?.success.examples ?? {});
      const { client, sent } = recordingClient(generateOperations(model), example?.value);
      const called = method.split('.').reduce<unknown>((group, name) => Reflect.get(Object(group), name), client);
      const result: unknown = await (typeof called === 'function'
        ? called(params)
        : expect.fail(`no method ${method}`));
      if (returns !== undefined) expect(result).toEqual(returns);
      expect(sent[0]).toEqual({ request: sends[0], body: sends[1] });
      if (type) expect(generateMethods(model) + generateModels(model)).toContain(type);
    },
  );
});
