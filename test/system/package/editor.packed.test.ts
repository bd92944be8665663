import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pascalCase } from '../../../scripts/generate/typescript/names.ts';
import { generatedPath, repositoryRoot, type SpecName, specNames } from '../../../scripts/spec/files.ts';
import { Crm } from '../../../src/client/index.ts';
import { type Editor, openEditor } from '../../support/editor.ts';

const namespaces = specNames.map(pascalCase);

/** Names of a namespace, as the generator writes them for its product. */
function namesOf(spec: SpecName, kind: string): string[] {
  const files = ['methods.ts', 'models.ts'].map((file) => readFileSync(generatedPath(spec, file), 'utf8'));
  const names = [...files.join('\n').matchAll(new RegExp(`^export (?:${kind}) (\\w+)`, 'gm'))].map(
    ([, name = '']) => name,
  );
  const paths = kind === 'const' ? [] : [`${pascalCase(spec)}Paths`, `${pascalCase(spec)}SpecPaths`];
  return [...new Set([...names, ...paths])].sort();
}

describe.each(['program.ts', 'program.cts'])('an editor with %s', (file) => {
  let editor: Editor;
  beforeAll(() => {
    const program = `
import { ${namespaces.join(', ')}, createClient } from 'carillon';
${namespaces.map((name) => `${name}./*value ${name}*/;\ntype In${name} = ${name}./*type ${name}*/;`).join('\n')}
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
const status = Crm.DealStatus./*constants*/Fail/*constant*/;
void api.crm.deals.update({ /*fields*/ });
void api.crm.deals.get({ dealId: 501 }).then((deal) => deal.status/*field*/ === status);
void api.crm.contacts.get({ contactId: 3001 }).then((contact) => contact.emails/*open*/);
`;
    // At the root, where the package can import its own built declarations by name.
    editor = openEditor(join(repositoryRoot, file), program);
  });

  it.each(specNames)('offers only names of the product, for the namespace of %s', (spec) => {
    const name = pascalCase(spec);
    expect(editor.completions(`value ${name}`).sort()).toEqual(namesOf(spec, 'const'));
    expect(editor.completions(`type ${name}`).sort()).toEqual(namesOf(spec, 'interface|type'));
  });

  it('offers the constants of an enum, each with its meaning', () => {
    expect(editor.completions('constants')).toEqual(Object.keys(Crm.DealStatus).sort());
    expect(editor.describe('constants', 'Fail')).toBe('Failed, for a fail reason.');
    expect(editor.hover('constant')).toBe('Failed, for a fail reason.');
  });

  it('says where to declare a type that is not documented', () => {
    expect(editor.hover('open')).toContain('The type can be declared in `ContactFields`.');
  });

  // The compiler offers numbers without comments, so the field's comment must explain them.
  it('shows the meaning and constant of each number on the offered field, and in the hover', () => {
    for (const shown of [editor.describe('fields', 'status'), editor.hover('field')]) {
      for (const [name, value] of Object.entries(Crm.DealStatus)) {
        expect(shown).toContain(`- \`${value}\` (\`DealStatus.${name}\`): `);
      }
    }
  });
});
