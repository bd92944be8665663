import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { modelSpec } from '../../../scripts/generate/model/operation-model.ts';
import { generateMethods } from '../../../scripts/generate/outputs/methods.ts';
import { generateModels } from '../../../scripts/generate/outputs/models.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import type { Schema } from '../../../scripts/spec/schema.ts';
import { type Member, membersOf } from './comments.ts';
import { body, operation, smallModel } from './small-model.ts';

describe('text of a spec', () => {
  const evil = 'Ends */ here.\n\n@deprecated not really\n\n*/ export const evil = 1; /*';
  const schema: Schema = {
    type: 'object',
    description: evil,
    'x-open': evil,
    properties: { field: { description: evil, pattern: '*/' } },
  };
  const constants: Schema = {
    enum: ['*/'],
    description: evil,
    'x-enum-varnames': ['End'],
    'x-enumDescriptions': { '*/': evil },
  };
  const more = {
    summary: evil,
    description: evil,
    'x-open': evil,
    'x-errors': { '*/': { meaning: evil, rule: evil, advice: evil } },
    ...body(schema, { field: evil }),
  };
  const spec = smallModel({ 'POST /things': operation('things.do', more) }, { Thing: schema, Word: constants });

  it.each([
    [
      'methods',
      generateMethods(spec),
      ['ThingsDoErrors', 'ThingsDoErrorCode', 'ThingsDoParams', 'ThingsDoResult', 'CrmMethods'],
    ],
    ['models', generateModels(spec), ['ThingFields', 'ThingOpenFields', 'Thing', 'Word', 'Word']],
  ])('cannot end a comment and become code of the %s', (_, text, names) => {
    expect(text).toContain('evil');
    expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
    const { statements } = ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest, true);
    const declared = statements
      .filter((statement) => !ts.isImportDeclaration(statement))
      .map((statement) => statement.getText());
    expect(declared.map((source) => /^(?:export )?(?:const|type|interface|function) (\w+)/.exec(source)?.[1])).toEqual(
      names,
    );
  });

  it('cannot begin a tag', () => {
    expect(membersOf(generateMethods(spec)).filter(({ tags }) => tags.includes('deprecated'))).toEqual([]);
  });
});

describe.each(specNames)('the generated types of %s', (name) => {
  const model = modelSpec(loadSpec(name));

  const members = [...membersOf(generateMethods(model)), ...membersOf(generateModels(model))];
  const isMethod = ({ comment }: Member): boolean => comment.includes('@throws');

  it('name the section of every method, and contain more than that', () => {
    const methods = members.filter(isMethod);
    expect(methods).toHaveLength(model.operations.length);
    const source = /\S[\s\S]+\n\nSource: \w+ document, (?:introduction|sections? \d)/;
    expect(methods.filter(({ comment }) => !source.test(comment))).toEqual([]);
  });

  it('describe every field without its section, which its type names', () => {
    const fields = members.filter((member) => !isMethod(member));
    expect(fields.length).toBeGreaterThan(model.operations.length);
    expect(fields.filter(({ comment }) => comment === '' || comment.includes('Source:'))).toEqual([]);
  });
});
