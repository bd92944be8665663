import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { Connection, ConnectOptions } from '../../../src/cli/catalogue/index.ts';
import { findMethod } from '../../../src/cli/catalogue/index.ts';
import { type RowOptions, readEach } from '../../../src/cli/command/each/rows.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { createListWriter } from '../../../src/cli/command/output.ts';
import { guard, unguard } from '../../../src/cli/command/sheet-text.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { readSource } from '../../../src/shared/rows/read-rows.ts';
import type { TextSource } from '../../../src/shared/rows/read-text.ts';
import fc, { anyCharacter, samples } from '../../fast-check.ts';
import { carillon } from '../../support/terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-inverse-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const source = (text: string): TextSource => ({ name: 'rows', open: () => Readable.from([Buffer.from(text)]) });
/** Texts that display rules, spreadsheets and parsers treat specially. */
const special = [
  ...["'=1+1", "''=1", "'", "''", '=1+1', '@SUM(A1)', '+1+cmd|x', '-2+3', "'-2+3", '\t=1', '\r=1', '-7', '+1 555 0100'],
  ...['  Ann', 'Ann  ', ' ', '\t', '\n', '\r', '\r\n', 'a\r\nb', 'a\rb', '\n\n', '\u0000', 'a\u0000b', '\u001b[31m'],
  ...['"', '""', '"a"', 'a,b', 'a;b', 'a\tb', 'null', 'true', '0', '007', '1e5', '12345678901234567890', '1.50'],
  ...[
    '2026-11-26',
    '26/11/2026',
    '@file',
    '@=x',
    '{}',
    '[1]',
    '{"a":1}',
    'a=b',
    '\ufeff',
    '\ufeffx',
    '\u2028',
    '\u200b',
  ],
  ...['\ufffd', '\ud83d\ude00', '__proto__', 'é', '\u00a0x\u00a0', '\u0085'],
];
const text = fc.oneof(
  fc.constantFrom(...special),
  fc
    .array(fc.oneof(fc.constantFrom(...special), anyCharacter), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('')),
);

/** Reads rows as `crm contacts update --each … --exported` does. */
async function* rowsOf(csv: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const method = findMethod('crm.contacts.update');
  if (!method) throw new Error('There is no crm.contacts.update');
  const options: RowOptions = {
    method,
    source: source(csv),
    format: 'csv',
    fixed: {},
    keyColumn: undefined,
    skipped: [],
    isExported: true,
    findProblems: () => [],
  };
  for await (const { params, problem } of readEach(options, { columns: [], countKey: () => 1 })) {
    if (problem !== undefined) throw new Error(problem);
    yield params;
  }
}

describe('what --output writes, --each reads back equal', () => {
  const ownValue = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer()),
    fc.dictionary(fc.string(), fc.integer()),
  );
  const record = fc.record(
    {
      contactId: fc.integer({ min: 1, max: 2 ** 40 }),
      responsibleId: fc.integer({ min: 1 }),
      firstName: text,
      lastName: text,
      'set.note': ownValue,
      'set.other field': ownValue,
    },
    { requiredKeys: ['contactId', 'responsibleId'] },
  );
  const toParams = (one: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name.replace(/^set\./, ''), value]));

  it('CSV: every text of documented type, and every own field', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 40 }), fc.boolean(), async (records, hasMark) => {
        const documented = new Set(['contactId', 'responsibleId', 'firstName', 'lastName']);
        const writer = createListWriter({ format: 'csv', documented });
        // Spreadsheets write a byte order mark.
        const csv = [hasMark ? '\ufeff' : '', writer.add(records), writer.end()].join('');
        const columns = Object.keys(Object.assign({}, ...records));
        const read: unknown[] = [];
        for await (const params of rowsOf(csv)) read.push(params);
        expect(columns.length).toBeGreaterThan(1);
        expect(read).toEqual(records.map(toParams));
      }),
      { numRuns: samples(40) },
    );
  });

  it('NDJSON: every value', async () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 40 }), async (records) => {
        const writer = createListWriter({ format: 'ndjson' });
        const ndjson = writer.add(records) + writer.end();
        const read: unknown[] = [];
        for await (const { values } of readSource(source(ndjson), 'ndjson')) read.push(values);
        expect(read).toEqual(JSON.parse(JSON.stringify(records)));
      }),
      { numRuns: samples(40) },
    );
  });

  it('keeps the line of each row after values with line breaks of all kinds', async () => {
    const csv = 'firstName\n"a\r\nb"\n"c\rd"\n"e\nf"\ng\n';
    const lines: number[] = [];
    for await (const { line } of readSource(source(csv), 'csv', undefined, { isExact: true })) lines.push(line);
    expect(lines).toEqual([2, 4, 6, 8]);
  });
});

describe('the guard against formulas', () => {
  it('is injective, and removing it restores every text', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(unguard(guard(one))).toBe(one);
        if (one !== other) expect(guard(one)).not.toBe(guard(other));
      }),
      { numRuns: samples(200) },
    );
  });

  it('leaves no text that a spreadsheet calculates', () => {
    for (const one of special) expect(guard(one)).not.toMatch(/^[=@\t\r]/);
  });
});

/** A sandbox with one contact, and the bodies of updates. */
function service(change: object = {}) {
  const sandbox = createSandbox();
  const updates: unknown[] = [];
  const requests: string[] = [];
  const connect = async ({ options }: ConnectOptions): Promise<Connection> =>
    connectionTo({
      ...options,
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'any' },
      fetch: async (url, init) => {
        requests.push(`${init.method} ${new URL(String(url)).pathname}`);
        if (init.method === 'PUT' && typeof init.body === 'string') updates.push(JSON.parse(init.body));
        const response = await sandbox.fetch(url, init);
        if (init.method !== 'GET') return response;
        const body = await response.json();
        return Response.json({ data: { ...body.data, ...change } }, { status: response.status });
      },
    });
  return { connect, updates, requests };
}

const updateEach = ['crm', 'contacts', 'update', '--each'];

describe('--each', () => {
  it('removes the guard only with --exported, and says what it saw without it', async () => {
    const file = write('guests.csv', "contactId,responsibleId,firstName\n3001,77,'=Ann\n");
    const literal = service();
    const ran = await carillon([...updateEach, file], literal);
    expect(literal.updates).toEqual([{ responsibleId: 77, firstName: "'=Ann" }]);
    expect(ran.errors).toContain(
      '1 cell begins with an apostrophe, which --output csv puts before formulas. If --output csv wrote the file, add --exported.',
    );
    const exported = service();
    const data = join(folder, 'exported');
    expect((await carillon([...updateEach, file, '--exported', '--data', data], exported)).code).toBe(0);
    expect(exported.updates).toEqual([{ responsibleId: 77, firstName: '=Ann' }]);
  });

  it('an export that is edited in one cell changes only that', async () => {
    const names = special.filter((one) => !one.includes('\ufeff'));
    const sandbox = createSandbox();
    const contacts = sandbox.state.crm.contacts;
    const [first] = contacts.values();
    if (!first) throw new Error('The sandbox has no contact');
    for (const [at, name] of names.entries()) {
      const id = 90_000 + at;
      contacts.set(id, { ...first, record: { ...first.record, id, firstName: name, lastName: 'Old' } });
    }
    const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch };
    const connect = async () => connectionTo(options);
    const columns = 'id,responsibleId,firstName,lastName';
    const ran = await carillon(
      ['crm', 'contacts', 'list', '--last-name', 'Old', '--all', '--output', 'csv', '--columns', columns],
      { connect },
    );
    const edited = ran.output.replace(/^id,/, 'contactId,').replaceAll(',Old\r\n', ',New\r\n');
    const file = write('edited.csv', edited);
    const back = await carillon([...updateEach, file, '--exported', '--yes'], { connect });
    expect([back.code, back.errors]).toEqual([0, expect.stringContaining(`${names.length} done.`)]);
    expect(names.map((_, at) => contacts.get(90_000 + at)?.record)).toEqual(
      names.map((firstName, at) => expect.objectContaining({ id: 90_000 + at, firstName, lastName: 'New' })),
    );
  });

  it('sends only the columns of the file', async () => {
    const { connect, updates } = service();
    const file = write('some.csv', 'contactId,responsibleId,lastName\n3001,77,\n');
    expect((await carillon([...updateEach, file], { connect })).code).toBe(0);
    expect(updates).toEqual([{ responsibleId: 77 }]);
  });

  it.each(['1.5553E+10', '1,5553E+10', '1.55503E+11'])(
    'rejects the row whose phone a spreadsheet turned into %s',
    async (phone) => {
      const { connect, requests } = service();
      const file = write('phones.csv', `contactId,phone\n3001,"${phone}"\n`);
      const { code, errors } = await carillon(['crm', 'contacts', 'phones', 'create', '--each', file], { connect });
      expect([code, errors]).toEqual([
        exitCodes.incomplete,
        expect.stringContaining(
          `line 2: phone: '${phone}' is a long number that a spreadsheet shortened, so digits are lost`,
        ),
      ]);
      expect(requests).toEqual([]);
    },
  );

  it('ignores trailing empty columns, but not a value in them', async () => {
    const { connect, updates } = service();
    const file = write('trailing.csv', 'contactId,responsibleId,firstName,,\n3001,77,Ann,,\n');
    expect((await carillon([...updateEach, file], { connect })).code).toBe(0);
    expect(updates).toEqual([{ responsibleId: 77, firstName: 'Ann' }]);
    const filled = write('filled.csv', 'contactId,responsibleId,firstName,,\n3001,77,Ann,,x\n');
    const ran = await carillon([...updateEach, filled], { connect });
    expect([ran.code, ran.errors]).toEqual([
      exitCodes.usage,
      expect.stringContaining('line 2: column 5 has a value, but no name'),
    ]);
  });

  it('recognizes a row whose cells have other blanks around them', async () => {
    const { connect, updates } = service();
    const run = (text: string) => carillon([...updateEach, write('before.csv', text)], { connect });
    expect((await run('contactId,responsibleId,firstName\n3001,77,Ann\n')).errors).toContain('1 done.');
    expect((await run('contactId , responsibleId,firstName\n3001, 77,  Ann \n')).errors).toContain(
      '0 done, 1 done in earlier runs.',
    );
    expect(updates).toHaveLength(1);
  });
});

describe('--output csv', () => {
  const one = (value: unknown, isTerminal = false): string =>
    createListWriter({ format: 'csv', isTerminal }).add([{ a: value }]);

  it('replaces control characters only for a terminal', () => {
    expect(one('a\u001b[31m\u0000')).toBe('a\r\na\u001b[31m\u0000\r\n');
    expect(one('a\u001b[31m\u0000', true)).toBe('a\r\na\ufffd[31m\ufffd\r\n');
  });

  it('does not accept half a character by the name of its field, because UTF-8 has none', () => {
    expect(() => one('a\ud800')).toThrow('a of record 1 contains half a character (a lone surrogate)');
  });
});
