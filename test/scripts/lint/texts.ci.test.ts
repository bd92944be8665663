import { expect, test } from 'vitest';
import { parseSpecSource } from '../../../scripts/lint/spec-source.ts';
import { runSpectral } from '../../../scripts/lint/spectral.ts';
import { broken, type Changes, list } from './mutation.ts';
import { shareValidators } from './shared-validators.ts';

shareValidators();

const rows = 'components schemas Layout properties rows';

async function findingsOf(changes: Changes): Promise<string[]> {
  const findings = await runSpectral([parseSpecSource('changed.yaml', broken(changes))]);
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

test('a description may have in backticks all that a reader finds elsewhere', async () => {
  const codes = {
    'a field': '`color`',
    'a parameter': '`offset`',
    'an operation': '`countReaders`',
    'a schema': '`Token`',
    'a rule': '`note-quota`',
    'a value of an enum': '`red`',
    'a value of an example': '`urgent`',
    'a value of a rule': '`64`',
    'a word of JSON': '`true` or `string`',
    'the default response': '`default`',
    'the format of a date': '`YYYY-MM-DD HH:MM:SS`',
    'the file of a spec': '`crm.yaml`',
    'the header of the credential': '`Authorization: Bearer <token>`',
    'a part of that header': '`Bearer`',
    'a field in a record': '`layout.columns`',
    'a field with its value': '`color=red` or `trial: true`',
    'a path': '`/notes/{noteId}`',
    'a path with its method': '`POST /tags`',
    'the beginning of a path': '`/boards/`',
    'a segment of a path': '`boards`',
    'the address of a server': '`{base_url}`',
    'a path of the spec whose file the text names': '`POST /deals` of `crm.yaml`',
  };
  const description = Object.entries(codes).map(([what, code]) => `Lists notes, and ${what}: ${code}.`);
  expect(await findingsOf({ [`${list} description`]: description.join(' ') })).toEqual([]);
});

test('a limit in a description agrees with a keyword, and other numbers are not compared', async () => {
  const texts = [
    // `maxLength`, both limits, `default`, and the length of items.
    { type: 'string', maxLength: 65535, description: 'Up to 65,535 characters.' },
    { type: 'string', minLength: 1, maxLength: 50, description: 'A word, 1 to 50 characters.' },
    { type: 'integer', default: 18000, description: '5 hours (18000) if omitted.' },
    { type: 'array', maxItems: 9, items: { type: 'string', maxLength: 20 }, description: 'Up to 20.' },
    // No keyword of the schema, a date, and a code.
    { type: 'string', description: 'Has at most 3 lines.' },
    { type: 'string', maxLength: 9, description: 'Since 2026-10-01, up to 9.' },
    { type: 'string', maxLength: 9, description: 'Rejected with code 12.' },
  ];
  for (const text of texts) expect(await findingsOf({ [rows]: text }), text.description).toEqual([]);
});
