import { describe, expect, it } from 'vitest';
import { loadPrismOperations } from '../../scripts/build/prism-operations.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { toTarget } from '../../src/mock/create-mock.ts';
import { endpoints } from '../../src/sandbox/http/handled-operations.ts';
import { type Routed, Router } from '../../src/shared/router.ts';

const mock = (await loadPrismOperations()).map(toTarget);
const specs = specNames.flatMap((name) => listOperations(loadSpec(name)));
const withNumber = specs.filter(({ parameters }) =>
  parameters.some((parameter) => parameter.in === 'path' && parameter.schema.type === 'integer'),
);

const tables: [name: string, targets: { route: Routed }[], digitsOnly: boolean][] = [
  ['the sandbox', endpoints.map(({ route }) => ({ route })), true],
  // Prism reports a value that is no number.
  ['the mock', mock.map(({ route }) => ({ route })), false],
];

describe.each(tables)('the router of %s', (_, targets, digitsOnly) => {
  const router = new Router(targets);
  const find = (method: string, path: string) => router.find(method, path);

  it('has the operations of the specs', () => {
    const plain = (method: string, path: string): string => `${method} ${path.replace(/(?<=.)\/$/, '')}`;
    expect(targets.map(({ route }) => plain(route.method, route.path)).sort()).toEqual(
      specs.map(({ method, base, path }) => plain(method, base + path)).sort(),
    );
  });

  it.each(targets.map((target) => [`${target.route.method} ${target.route.path}`, target] as const))(
    '%s',
    (_name, target) => {
      const { method, path: template, numbers } = target.route;
      const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
      const values = Object.fromEntries(
        names.map((name, index) => [name, numbers.includes(name) ? index + 7 : `${index + 7} ä/b`]),
      );
      const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
      const found = { target, path: values };
      for (const form of [path, path.replace(/\/?$/, '/'), path.replaceAll('/', '//')])
        expect(find(method, form)).toEqual(found);
      expect(find('HEAD', path)).toEqual(method === 'GET' ? found : find('HEAD', path));
      // A letter and a digit in percent-encoding.
      const [letter = ''] = /[a-z](?=[^/]*$)/.exec(path.replace(/%\w\w/g, '')) ?? [];
      const encoded = path.replace(new RegExp(`${letter}(?=[^/]*$)`), `%${letter.charCodeAt(0).toString(16)}`);
      if (letter && names.length === 0) expect(find(method, encoded)).toEqual(found);
      const other = find('TRACE', path);
      expect(other).toEqual({ allowed: expect.arrayContaining([method, 'OPTIONS']) });
      expect(find(method, `${path}/more/and/more`)).toBeUndefined();
    },
  );

  it(`takes ${digitsOnly ? 'only digits' : 'any text'} for a number in a path`, () => {
    expect(withNumber.length).toBeGreaterThan(0);
    for (const { method, base, path, parameters, key } of withNumber) {
      const integers = parameters.filter(({ in: place, schema }) => place === 'path' && schema.type === 'integer');
      for (const { name } of integers)
        for (const wrong of ['first', '1.5', '1e3']) {
          const real = (base + path).replace(`{${name}}`, wrong).replace(/\{\w+\}/g, '7');
          const found = find(method, real);
          const isSame = found !== undefined && 'target' in found && found.target.route.path === base + path;
          expect([key, wrong, isSame]).toEqual([key, wrong, !digitsOnly]);
        }
    }
  });
});

it('a template cannot have a segment that is partly a parameter', () => {
  const route = { method: 'GET', path: '/deals/{dealId}.json', numbers: [] };
  expect(() => new Router([{ route }])).toThrow('{dealId}.json is neither a literal nor a parameter');
});

it.each([
  ['/deals//comments', '/deals/{dealId}/comments', 'dealId'],
  ['/deals/', '/deals/{dealId}', 'dealId'],
  ['/deals//attributes/7', undefined, undefined],
  ['/deals/7/', undefined, undefined],
])('finds the value that %s lacks', (path, template, name) => {
  const paths = ['/deals/{dealId}', '/deals/{dealId}/comments', '/deals/attributes/{pipelineId}', '/notes/{author}'];
  const router = new Router(paths.map((each) => ({ route: { method: 'GET', path: each, numbers: [] } })));
  const lacking = router.findLacking('GET', path);
  expect([lacking?.target.route.path, lacking?.name]).toEqual([template, name]);
});
