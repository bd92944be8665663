import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderLlmsFull } from '../../../../scripts/generate/llms.ts';
import { generateMethods } from '../../../../scripts/generate/methods.ts';
import { generateModels } from '../../../../scripts/generate/models.ts';
import { modelSpec, type SpecModel } from '../../../../scripts/generate/operation-model.ts';
import { generateOperations } from '../../../../scripts/generate/operation-table.ts';
import { generateZod } from '../../../../scripts/generate/zod.ts';
import { parseSource } from '../../../../scripts/lint/source.ts';
import { type Finding, lintEach } from '../../../../scripts/lint/specs.ts';
import { curlSample } from '../../../../scripts/samples/curl.ts';
import { pathSample } from '../../../../scripts/samples/typescript-path.ts';
import { repositoryRoot } from '../../../../scripts/spec/files.ts';
import type { Spec } from '../../../../scripts/spec/model.ts';
import { assemble } from '../../../../src/client/assemble.ts';
import { createPart } from '../../../../src/client/part.ts';
import type { OperationValidators } from '../../../../src/shared/operation-validators.ts';
import { amounts } from '../../../support/amounts.ts';
import { specMock } from '../../../support/spec-mock.ts';
import { broken } from '../mutation.ts';
import { sentEdits as all } from './sent.ts';

const sentEdits = all.filter((_, index) => index % amounts.sentStep === 0);

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

/** Inside of the repository, because the validators import zod. */
const cache = join(repositoryRoot, '.cache');
mkdirSync(cache, { recursive: true });
const modules = mkdtempSync(join(cache, 'sent-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(modules, { recursive: true });
});

/** The generated validators of a spec. */
async function validatorsOf(model: SpecModel, index: number): Promise<Record<string, OperationValidators>> {
  const own = join(modules, String(index));
  mkdirSync(own);
  writeFileSync(join(own, 'zod.ts'), await generateZod(model));
  const loaded = await import(join(own, 'zod.ts'));
  return loaded.emailValidators;
}

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
      const [first] = sent;
      expect({ request: first?.request, body: first?.body }).toEqual({ request: sends[0], body: sends[1] });
      if (type) expect(generateMethods(model) + generateModels(model)).toContain(type);
      if (!operation || !first) expect.fail('nothing was sent');
      const [, address = ''] = first.request.split(' ');
      // Validators, mock, docs and samples agree.
      const mock = await specMock([model.spec]);
      const url = new URL(address, 'https://mock.example.com');
      const headers = {
        authorization: 'Bearer key',
        ...(first.body !== undefined && { 'content-type': 'application/json' }),
      };
      const request = { method: operation.method, headers, body: first.body ?? null };
      const answer = await mock.fetch(new Request(url, request));
      expect(`${answer.status} ${answer.ok ? '' : await answer.text()}`).toBe(`${operation.success.status} `);
      const validators = await validatorsOf(model, index);
      if (first.body !== undefined)
        expect(validators[operation.operationId]?.body?.safeParse(JSON.parse(first.body)).error).toBeUndefined();
      expect(validators[operation.operationId]?.reply?.safeParse(example?.value).error).toBeUndefined();
      const page = renderLlmsFull([model]);
      for (const name of Object.keys(params ?? {})) expect(page).toContain(`\`${name}\``);
      expect(curlSample(operation)).toContain('curl --fail-with-body');
      expect(pathSample(operation)).toContain(`api.email.${operation.method}(`);
    },
  );
});
