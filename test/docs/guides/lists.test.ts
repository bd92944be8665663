import { expect, test } from 'vitest';
import { modelSpec } from '../../../scripts/generate/model/operation-model.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec, resolve } from '../../../scripts/spec/model.ts';
import { readGuideText } from './tables.ts';

const operations = specNames.flatMap((name) => modelSpec(loadSpec(name)).operations);
/** Methods that return lists, by the title of their row. */
const rows = new Map<string, string[]>([
  ['a page', []],
  ['an array', []],
]);
for (const { spec, place, paging, envelope } of operations) {
  const isList = envelope.payload && resolve(spec.openapi, envelope.payload).items !== undefined;
  if (isList) rows.get(paging ? 'a page' : 'an array')?.push(`\`${spec.name}.${place}\``);
}

test("the guide's table says for every list whether it resolves to a page or to an array", () => {
  const lines = [...rows].map(([kind, methods]) => `| ${kind} | ${methods.join(', ')} |`);
  const table = ['| `await` gives | methods |', '|---|---|', ...lines, ''].join('\n');
  expect(readGuideText('lists'), `docs/guides/lists.md needs this table:\n\n${table}`).toContain(`\n${table}\n`);
});
