import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { postmanCollection } from '../../../scripts/docs/postman.ts';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { freshSandbox } from '../samples/fresh-sandbox.ts';

/** The parts of Postman's own model that the tests use. It has no types. */
interface Sdk {
  Collection: new (
    definition: object,
  ) => { forEachItem(act: (item: Item) => void): void; syncVariablesTo(target: object): void; toJSON(): object };
  Property: { replaceSubstitutions(text: string, variables: Record<string, string>): string };
}
interface Item {
  name: string;
  parent(): { name: string; parent(): { name: string } };
  getAuth(): { type: string; parameters(): { get(name: string): string } } | undefined;
  request: {
    method: string;
    url: {
      getPath(unresolved: boolean): string;
      variables: { all(): { key: string; value: string }[] };
      getQueryString(): string;
      toString(): string;
    };
    headers: { all(): { key: string; value: string }[] };
    body?: { toString(): string };
  };
}

const specs = specNames.map((name) => loadSpec(name));
const operations = specs.flatMap((spec) => listOperations(spec));
let sdk: Sdk;
let definition: object;
const items: Item[] = [];
const variables: Record<string, string> = {};

beforeAll(async () => {
  sdk = createRequire(join(repositoryRoot, 'docs', 'node_modules', 'openapi-to-postmanv2', 'package.json'))(
    'postman-collection',
  );
  definition = JSON.parse(JSON.stringify(await postmanCollection(specs)));
  const collection = new sdk.Collection(definition);
  collection.forEachItem((item) => items.push(item));
  collection.syncVariablesTo(variables);
});

const substitute = (text: string): string => sdk.Property.replaceSubstitutions(text, variables);

/** The request that Postman sends for an item. */
function requestOf(item: Item): Request {
  const { request } = item;
  const { url } = request;
  const auth = item.getAuth();
  const values = new Map(url.variables.all().map(({ key, value }) => [key, value]));
  const path = url.getPath(true).replace(/:(\w+)/g, (_, name) => encodeURIComponent(values.get(name) ?? ''));
  const query = url.getQueryString();
  const headers = new Headers(request.headers.all().map(({ key, value }): [string, string] => [key, value]));
  if (auth?.type === 'bearer') headers.set('authorization', `Bearer ${substitute(auth.parameters().get('token'))}`);
  const body = request.body?.toString();
  const target = substitute(`{{baseUrl}}${path}${query ? `?${query}` : ''}`);
  if (!url.toString().startsWith('{{baseUrl}}/')) throw new Error(`${item.name} does not begin with {{baseUrl}}`);
  return new Request(target, { method: request.method, headers, ...(body && { body }) });
}

describe('the Postman collection', () => {
  it('has each operation once, in the folders of its spec and tag', () => {
    const shown = items.map((item) => [item.parent().parent().name, item.parent().name, item.name].join(' / '));
    const wanted = operations.map(({ spec, operation: { tags, summary } }) =>
      [spec.document.info.title, tags[0], summary].join(' / '),
    );
    expect(shown.sort()).toEqual(wanted.sort());
  });

  it('has variables for the address and the key, which it sends with every request except the token request', () => {
    expect(variables).toEqual({ baseUrl: 'http://127.0.0.1:4012', apiKey: 'any' });
    const anonymous = operations.filter(({ operation }) => operation.security?.length === 0);
    for (const item of items) {
      const auth = item.getAuth();
      const isAnonymous = anonymous.some(({ operation }) => operation.summary === item.name);
      expect([item.name, auth?.type ?? 'noauth']).toEqual([item.name, isAnonymous ? 'noauth' : 'bearer']);
      if (!isAnonymous) expect(auth?.parameters().get('token')).toBe('{{apiKey}}');
    }
  });

  it('uses only variables that it defines', () => {
    const named = JSON.stringify(definition).match(/\{\{\w+\}\}/g) ?? [];
    expect([...new Set(named)].sort()).toEqual(['{{apiKey}}', '{{baseUrl}}']);
  });

  it('is the same after another build', async () => {
    expect(JSON.parse(JSON.stringify(await postmanCollection(specs)))).toEqual(definition);
  });

  it("has requests that a fresh sandbox accepts, each with its operation's example body", async () => {
    for (const operation of operations) {
      const item = items.find(
        ({ name, request }) =>
          name === operation.operation.summary && requestPath(request) === `${operation.base}${operation.path}`,
      );
      if (!item) throw new Error(`${operation.operationId} is not in the collection`);
      const request = requestOf(item);
      const [example] = Object.values(operation.body?.examples ?? {});
      const sent = await request.clone().text();
      expect([operation.operationId, sent === '' ? undefined : JSON.parse(sent)]).toEqual([
        operation.operationId,
        example?.value,
      ]);
      const sandbox = freshSandbox();
      const response = await sandbox.fetch(request);
      expect([operation.operationId, sandbox.failures, response.status]).toEqual([
        operation.operationId,
        [],
        Number(operation.success.status),
      ]);
      expect(sandbox.requests.map((logged) => logged.operation)).toEqual([operation.operationId]);
    }
  });
});

function requestPath({ url }: Item['request']): string {
  return url.getPath(true).replace(/:(\w+)/g, '{$1}');
}
