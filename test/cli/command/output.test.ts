import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { createListWriter } from '../../../src/cli/command/output.ts';
import { formatValue, openListWriter } from '../../../src/cli/command/write-value.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon, type Surroundings } from '../../support/terminal.ts';

/** A sandbox service with 250 more contacts. */
function service(seed = 250): Pick<Surroundings, 'connect'> {
  const { fetch } = createSandbox({ seed });
  const baseUrl = 'https://api.example.com';
  return { connect: async () => connectionTo({ baseUrl, auth: { apiKey: 'any' }, fetch }) };
}

const list = ['crm', 'contacts', 'list', '--sort-by', 'fieldName=id', '--sort-by', 'direction=asc'];

describe('--output', () => {
  it('json prints a single list, even over all pages', async () => {
    const { code, output, errors } = await carillon([...list, '--all', '--output', 'json'], service());
    const contacts: { id: number }[] = JSON.parse(output);
    expect([code, contacts.length, contacts[0]?.id]).toEqual([0, 252, 3001]);
    expect(errors).toBe('252 items.\n');
  });

  it('ndjson prints an item per line', async () => {
    const { output } = await carillon([...list, '--all', '--output', 'ndjson'], service());
    const lines = output.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id).slice(0, 2)).toEqual([3001, 3002]);
    expect(lines).toHaveLength(252);
  });

  it('csv follows RFC 4180', async () => {
    const { output } = await carillon([...list, '--output', 'csv', '--columns', 'id,lastName,tags'], service(0));
    const rows: string[][] = parse(output);
    expect(rows[0]).toEqual(['id', 'lastName', 'tags']);
    expect(rows[1]?.slice(0, 2)).toEqual(['3001', 'Kowal']);
    expect(JSON.parse(rows[1]?.[2] ?? '')).toMatchObject([{ id: 15, name: 'VIP' }]);
  });

  it('csv keeps quotes, separators and line breaks', async () => {
    const text = await formatValue({ note: 'a "b", c\nd', none: null }, { format: 'csv' });
    expect(parse(text)).toEqual([
      ['note', 'none'],
      ['a "b", c\nd', ''],
    ]);
  });

  it('table fits the terminal, and has a line per item', async () => {
    const { output, errors } = await carillon([...list, '--limit', '3', '--output', 'table'], {
      ...service(),
      columns: 80,
    });
    const lines = output.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^ID +FIRSTNAME +LASTNAME +PHONES +EMAILS$/);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(errors).toContain(
      'Fields without a column: messengers, tags, attributes, externalContactId, responsibleId. Use --columns',
    );
  });

  it('text prints plain values, for shell variables', async () => {
    const get = ['crm', 'deals', 'get', '501', '--output', 'text', '--columns'];
    const one = await carillon([...get, 'id'], { ...service(0), isTerminal: true });
    expect([one.code, one.output]).toEqual([0, '501\n']);
    const more = await carillon([...get, 'name,price,note'], service(0));
    expect(more.errors).toContain('--columns: no record has note.');
    expect((await carillon([...get, 'name,price'], service(0))).output).toBe('Annual plan renewal\t1200\n');
    const many = await carillon([...list, '--output', 'text', '--columns', 'id,lastName'], service(0));
    expect(many.output).toBe('3001\tKowal\n3002\tIto\n');
    const text = await formatValue({ note: 'a "b", c\nd', none: null, list: [1] }, { format: 'text' });
    expect(text).toBe('a "b", c\nd\t\t[1]\n');
  });

  it('is a table on a terminal and json elsewhere', async () => {
    const get = ['crm', 'deals', 'get', '501'];
    const [terminal, script] = [
      await carillon(get, { ...service(0), isTerminal: true }),
      await carillon(get, service(0)),
    ];
    expect(terminal.output).toMatch(/^id +501$/m);
    expect(JSON.parse(script.output)).toMatchObject({ id: 501 });
  });

  it('prints an empty list in every format', async () => {
    const writers = (['table', 'json', 'ndjson', 'csv', 'text'] as const).map((format) => openListWriter({ format }));
    const texts = (await Promise.all(writers)).map((writer) => writer.end());
    expect(texts).toEqual(['No records.\n', '[]\n', '', '', '']);
  });

  it('reports fields of later items that have no column', () => {
    const writer = createListWriter({ format: 'csv' });
    writer.add([{ id: 1 }]);
    writer.add([{ id: 2, name: 'VIP' }]);
    expect([...writer.dropped]).toEqual(['name']);
  });

  it.each(['table', 'csv', 'text', 'json', 'ndjson'] as const)(
    '%s: removes terminal control sequences from values',
    async (format) => {
      const record = { name: 'a\u001b[2J\u009b31m\u0007\u202eb', '\u001b]0;x\u0007': 1 };
      const text = await formatValue(record, { format, isTerminal: true });
      expect(text.replaceAll(/[\t\r\n]/g, '')).not.toMatch(/\p{Cc}/u);
    },
  );
});

describe('a table', () => {
  const people = [
    { id: 1, name: '田中 花子', city: 'Tokyo' },
    { id: 2, name: '👩‍👩‍👧 Müller', city: 'Köln' },
    { id: 3, name: '김민준', city: 'Seoul' },
  ];

  it('aligns columns with wide characters and emoji', async () => {
    const writer = await openListWriter({ format: 'table' });
    const lines = writer.add(people).trimEnd().split('\n');
    expect(lines).toEqual([
      'ID  NAME       CITY',
      '1   田中 花子  Tokyo',
      '2   👩‍👩‍👧 Müller  Köln',
      '3   김민준     Seoul',
    ]);
  });

  it('cuts text by display width, and keeps characters whole', async () => {
    const writer = await openListWriter({ format: 'table', width: 12, columns: ['name'] });
    const lines = writer
      .add([{ name: '田中花子田中花子' }, { name: 'a👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }])
      .split('\n');
    expect(lines.slice(1)).toEqual(['田中花子田…', 'a👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…', '']);
  });

  it('shows nested records by their titles', async () => {
    const deal = {
      name: 'Renewal',
      contact: [
        { id: 3001, firstName: 'Ann', lastName: 'Kowal' },
        { id: 3002, firstName: 'Ben' },
      ],
      step: { id: 11, name: 'New' },
      point: { x: 1 },
      ids: [1, 2],
    };
    expect(await formatValue(deal, { format: 'table' })).toBe(
      'name     Renewal\ncontact  Ann Kowal (3001), Ben (3002)\nstep     New (11)\npoint    {"x":1}\nids      [1,2]\n',
    );
  });
});

describe('a table of 80 columns', () => {
  const first = async (...words: string[]) => {
    const { output } = await carillon(['--sandbox', ...words, '--output', 'table'], { columns: 80 });
    return output.split('\n')[0]?.split(/ {2,}/);
  };

  it.each([
    ['email bounces list', ['ID', 'RECIPIENT', 'SUBJECT', 'SEND_DATE']],
    ['messaging campaigns list', ['ID', 'NAME', 'STATUS', 'SEND_DATE']],
    ['messaging push campaigns list', ['ID', 'TITLE', 'STATUS']],
    ['crm contacts list', ['ID', 'FIRSTNAME', 'LASTNAME', 'PHONES', 'EMAILS']],
    ['crm deals list', ['ID', 'NAME', 'PRICE', 'CURRENCY', 'STATUS']],
    ['crm tags list', ['ID', 'NAME']],
  ])('of %s begins with the ID and what its records are known by', async (words, columns) => {
    expect((await first(...words.split(' ')))?.slice(0, columns.length)).toEqual(columns);
  });

  it('shows fields without a value last, and no column that makes others unreadable', async () => {
    const writer = await openListWriter({ format: 'table', first: ['name'], width: 90 });
    const text = 'a text of thirty characters ...';
    const [head = ''] = writer.add([{ empty: null, a: text, b: text, list: [1], name: text, id: 1 }]).split('\n');
    expect(head.trim().split(/ +/)).toEqual(['ID', 'NAME', 'A', 'B', 'LIST', 'EMPTY']);
    const narrow = await openListWriter({ format: 'table', first: ['name'], width: 60 });
    const [short = ''] = narrow.add([{ empty: null, a: text, b: text, list: [1], name: text, id: 1 }]).split('\n');
    expect(short.trim().split(/ +/)).toEqual(['ID', 'NAME', 'A']);
    expect([...narrow.dropped]).toEqual(expect.arrayContaining(['b', 'list', 'empty']));
  });
});

describe('--json', () => {
  it('prints only the given fields of a record or of each item', async () => {
    const get = ['crm', 'deals', 'get', '501'];
    const one = await carillon([...get, '--json', 'name,price'], { ...service(0), isTerminal: true });
    expect(JSON.parse(one.output)).toEqual({ name: 'Annual plan renewal', price: 1200 });
    const many = await carillon([...list, '--json', 'id', '--output', 'ndjson'], service(0));
    expect(many.output).toBe('{"id":3001}\n{"id":3002}\n');
  });

  it.each([
    [['--json', 'name,nmae'], '--json: no record has nmae. The fields are'],
    [['--json', 'name,'], '--json takes a comma-separated list of field names'],
    [['--json', 'name', '--output', 'csv'], '--json writes json or ndjson'],
    [['--json', 'name', '--output', 'text'], 'Use --columns for text'],
    [['--columns', 'name'], 'use --json name'],
  ])('does not accept %j', async (flags, message) => {
    const { code, errors } = await carillon(['crm', 'deals', 'get', '501', ...flags], service(0));
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a list', () => {
  it('prints one page, and says how to get the rest', async () => {
    const { errors } = await carillon([...list, '--limit', '20'], service());
    expect(errors).toBe('20 of 252 items. Use --all for all items, or --offset 20 for the next page.\n');
  });

  it.each([
    [
      ['--set', 'status=9'],
      'In 1 of 1 records, status differs from the parameter. Do not rely on the parameter as a filter.\n',
    ],
    [
      ['--set', 'stage=won'],
      'The parameter "stage" is not documented, and no record has this field. The service may have ignored the parameter.\n',
    ],
    [
      ['--set', 'status=9', '--all'],
      'In 1 of 1 records, status differs from the parameter. Do not rely on the parameter as a filter.\n1 items.\n',
    ],
    [['--set', 'status=1'], ''],
  ])('says if an undocumented parameter cannot filter: %j', async (flags, expected) => {
    const { code, errors } = await carillon(['crm', 'deals', 'list', ...flags], service(0));
    expect([code, errors]).toEqual([0, expected]);
  });

  it('writes each page before it requests the next', async () => {
    const written: number[] = [];
    const { fetch } = createSandbox({ seed: 250 });
    let requests = 0;
    const connection = connectionTo({
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'any' },
      fetch: (url, init) => {
        requests += 1;
        return fetch(url, init);
      },
    });
    await carillon([...list, '--all', '--output', 'ndjson'], {
      connect: async () => connection,
      write: () => void written.push(requests),
    });
    expect(written.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('shows progress on a terminal, and clears it, if the output goes to a file', async () => {
    const args = [...list, '--limit', '100', '--all', '--output', 'ndjson'];
    const { errors, output } = await carillon(args, { ...service(), isTerminal: { error: true } });
    expect(errors).toBe('\r\u001b[K100 of 252\r\u001b[K200 of 252\r\u001b[K252 of 252\r\u001b[K252 items.\n');
    expect(output).not.toContain('\r');
  });

  it('shows no progress if records go to the same terminal', async () => {
    const { errors } = await carillon([...list, '--all', '--output', 'ndjson'], { ...service(), isTerminal: true });
    expect(errors).toBe('252 items.\n');
  });

  it('reads pages of 100 if paging is inferred', async () => {
    const { code, errors } = await carillon(['crm', 'deals', 'list', '--all'], service());
    expect([code, errors]).toEqual([0, expect.stringMatching(/^\d+ items\.\n$/)]);
  });

  it('does not accept --all without pages', async () => {
    const { code, errors } = await carillon(['crm', 'users', 'list', '--all'], service());
    expect([code, errors]).toEqual([2, expect.stringContaining("carillon: Unknown option '--all'.")]);
  });
});

describe('CSV cells that a spreadsheet would treat as formulas', () => {
  const names = ['=1+1', '@SUM(A1)', '+1+cmd|x', '-2+3', '\t=1', '+1 555 0100', '-7', 'Ann'];
  const written = (isRaw: boolean): string[] => {
    const writer = createListWriter({ format: 'csv', isRaw });
    const rows: string[][] = parse(writer.add(names.map((name) => ({ name, price: -7 }))));
    return rows.slice(1).map((cells) => cells.join(' '));
  };

  it('are quoted as text, but numbers and phones stay unchanged', () => {
    expect(written(false)).toEqual(
      ["'=1+1", "'@SUM(A1)", "'+1+cmd|x", "'-2+3", "'\t=1", '+1 555 0100', '-7', 'Ann'].map((name) => `${name} -7`),
    );
  });

  it('stay unchanged with --raw', () => {
    expect(written(true)).toEqual(names.map((name) => `${name} -7`));
  });
});
