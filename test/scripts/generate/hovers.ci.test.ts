import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { membersOf } from './comments.ts';

/** Comment and type of each field of the generated models. */
function fieldsOf(name: string): { comment: string; type: string }[] {
  const text = readFileSync(join(repositoryRoot, 'generated', name, 'models.ts'), 'utf8');
  const found = text.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}[\w'"]+\??: (?:readonly )?([\w[\]]+)(?: \| (?:null|undefined))*;$/gms,
  );
  return [...found].map(([, comment = '', type = '']) => ({ comment, type: type.replace('[]', '') }));
}

test.each(specNames)('%s: the hover of a field shows the meaning of each value, with its constant', (name) => {
  const { schemas } = loadSpec(name).openapi.components;
  const fields = fieldsOf(name).filter(
    ({ type }) => schemas[type]?.['x-enumDescriptions'] && (schemas[type]['x-enum-varnames']?.length ?? 99) <= 12,
  );
  expect(fields.length > 0).toBe(name !== 'email');
  for (const { comment, type } of fields) {
    const { enum: values = [], 'x-enum-varnames': names = [] } = schemas[type] ?? {};
    const shown = values.map((value, index) => `\`${value}\` (\`${type}.${names[index]}\`): `);
    expect([type, shown.filter((row) => !comment.includes(row))]).toEqual([type, []]);
  }
});

test('limits are in the first paragraph of a hover', () => {
  const fields = specNames.flatMap(fieldsOf);
  const limited = fields.filter(({ comment }) => /At most \d+ characters\./.test(comment));
  expect(limited.length).toBeGreaterThan(5);
  for (const { comment } of limited) expect(comment.split(/\n\s*\*\n/)[0]).toMatch(/At most \d+ characters\./);
});

test('the hover of messages.send describes the decoded form', () => {
  const text = readFileSync(join(repositoryRoot, 'generated', 'email', 'methods.ts'), 'utf8');
  const comments = membersOf(text).map(({ comment }) => comment);
  expect(comments).toContainEqual(expect.stringContaining('Pass the text itself. The client encodes it. HTML body.'));
  expect(comments.filter((comment) => /base64/i.test(comment))).toEqual([]);
});
