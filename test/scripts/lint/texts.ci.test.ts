import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../scripts/lint/source.ts';
import { runSpectral } from '../../../scripts/lint/spectral.ts';
import { broken, type Changes, list } from './mutation.ts';
import { shareValidators } from './shared-validators.ts';

shareValidators();

const word = 'components schemas TagCreate properties word';

async function findingsOf(changes: Changes): Promise<string[]> {
  const findings = await runSpectral([parseSource('changed.yaml', broken(changes))]);
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

describe('a description may have in backticks', () => {
  test.each([
    ['a field', '`color`'],
    ['a parameter', '`offset`'],
    ['an operation', '`countReaders`'],
    ['a schema', '`Token`'],
    ['a rule', '`note-quota`'],
    ['a value of an enum', '`red`'],
    ['a value of an example', '`urgent`'],
    ['a value of a rule', '`64`'],
    ['a word of JSON', '`true` or `string`'],
    ['the default reply', '`default`'],
    ['the format of a date', '`YYYY-MM-DD HH:MM:SS`'],
    ['the file of a spec', '`crm.yaml`'],
    ['the header of the credential', '`Authorization: Bearer <token>`'],
    ['a part of that header', '`Bearer`'],
    ['a field in a record', '`layout.columns`'],
    ['a field with its value', '`color=red` or `trial: true`'],
    ['a path', '`/notes/{noteId}`'],
    ['a path with its method', '`POST /tags`'],
    ['the beginning of a path', '`/boards/`'],
    ['a segment of a path', '`boards`'],
    ['the address of a server', '`{base_url}`'],
    ['a path of the spec whose file the text names', '`POST /deals` of `crm.yaml`'],
  ])('%s', async (_kind, code) => {
    expect(await findingsOf({ [`${list} description`]: `Lists notes, and ${code}.` })).toEqual([]);
  });
});

describe('a limit in a description agrees with', () => {
  test.each([
    ['`maxLength`', { type: 'string', maxLength: 65535 }, 'Up to 65,535 characters.'],
    ['both limits', { type: 'string', minLength: 1, maxLength: 50 }, 'A word, 1 to 50 characters.'],
    ['`default`', { type: 'integer', default: 18000 }, '5 hours (18000) if omitted.'],
    ['the length of its items', { type: 'array', maxItems: 9, items: { type: 'string', maxLength: 20 } }, 'Up to 20.'],
  ])('%s', async (_limit, schema, description) => {
    expect(await findingsOf({ [word]: { ...schema, description } })).toEqual([]);
  });

  test.each([
    ['no keyword of its schema', { type: 'string' }, 'Has at most 3 lines.'],
    ['a date', { type: 'string', maxLength: 9 }, 'Since 2026-10-01, up to 9.'],
    ['a code', { type: 'string', maxLength: 9 }, 'Refused with code 12.'],
  ])('a number that belongs to %s is not compared', async (_number, schema, description) => {
    expect(await findingsOf({ [word]: { ...schema, description } })).toEqual([]);
  });
});
