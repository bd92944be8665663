import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { expect, it } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const tables = lexer(read('docs/guides/options-reference.md')).filter(
  (token: Token): token is Tokens.Table => token.type === 'table',
);

/** The rows of the table with this first heading. */
function rowsOf(heading: string): string[][] {
  const table = tables.find(({ header }) => header[0]?.text === heading);
  if (!table) throw new Error(`docs/guides/options-reference.md has no table of ${heading}`);
  return table.rows.map((cells) => cells.map(({ text }) => text));
}

/** The properties of an interface of options: name, whether it is required, and its `@default`. */
function propertiesOf(name: string): { name: string; required: boolean; byDefault: string | undefined }[] {
  const sources = read('src/client/core/options.ts') + read('src/shared/call-types.ts');
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\\n(.*?)^\\}`, 'ms').exec(sources) ?? [];
  const found = [...body.matchAll(/ {2}\/\*\*(?<comment>.*?)\*\/\n {2}(?<name>\w+)(?<mark>\??):/gs)];
  return found.map(({ groups: { comment = '', name = '', mark = '' } = {} }) => {
    const [, byDefault] = /@default ([^\n]*)/.exec(comment) ?? [];
    return { name, required: mark === '', byDefault: byDefault?.trim() };
  });
}

it.each(['ClientOptions', 'CallOptions'])('the reference of options lists all properties of %s in order', (name) => {
  const properties = propertiesOf(name);
  expect(properties.length).toBeGreaterThan(4);
  expect(rowsOf(`\`${name}\``).map(([cell]) => cell)).toEqual(properties.map((property) => `\`${property.name}\``));
});

it('the reference of options states the same defaults as the types', () => {
  const rows = new Map(rowsOf('`ClientOptions`').map(([name = '', shown = '']) => [name, shown]));
  for (const { name, required, byDefault } of propertiesOf('ClientOptions')) {
    const shown = rows.get(`\`${name}\``) ?? '';
    if (required) expect(shown, name).toBe('required');
    else if (byDefault === undefined) expect(shown, name).toBe('none');
    // Compares a default that is a value, without the conditions in the sentence.
    else expect(byDefault.startsWith(/`([^`]+)`/.exec(shown)?.[1] ?? shown), `${name}: ${byDefault}`).toBe(true);
  }
});

it('the reference of options lists every entry of the packages, with a function that it exports', () => {
  const entries = new Map(
    listPackages().flatMap((one) => one.entries.map(({ specifier, source }) => [specifier, source] as const)),
  );
  const rows = rowsOf('import').map(([cell = '', text = '']) => [cell.replaceAll('`', ''), text] as const);
  expect(rows.map(([name]) => name).sort(), 'the table of entries in docs/guides/options-reference.md').toEqual(
    [...entries.keys(), 'carillon/spec/crm.yaml', 'carillon-mock/openapi.json'].sort(),
  );
  for (const [name, text] of rows) {
    const [, exported] = /`(create\w+|openJobs|registerInspector)`/.exec(text) ?? [];
    const source = entries.get(name);
    if (source !== undefined) expect(read(source), name).toMatch(new RegExp(`\\b${exported}\\b`));
  }
});
