import { describe, expect, it } from 'vitest';
import * as values from '../../../src/cli/catalogue/check-values.ts';
import {
  type Field,
  fieldsOf,
  findMethod,
  type JsonSchema,
  type Method,
  methods,
  type Params,
} from '../../../src/cli/catalogue/index.ts';
import { typeText } from '../../../src/cli/catalogue/type-text.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { carillon } from '../../support/terminal.ts';

const checkValues = (method: Method, params: Params): string[] =>
  values.checkValues(method, params).map(({ text }) => text);

/** Values at a limit, and just outside it. */
function around({
  minimum,
  maximum,
  maxLength,
  maxItems,
  items,
  enum: values,
}: JsonSchema): [inside: unknown[], outside: unknown[]] {
  const inside: unknown[] = [];
  const outside: unknown[] = [];
  if (maximum !== undefined) [inside[0], outside[0]] = [maximum, maximum + 1];
  if (minimum !== undefined) [inside[1], outside[1]] = [minimum, minimum - 1];
  if (maxLength !== undefined) [inside[2], outside[2]] = ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)];
  if (maxItems !== undefined && items?.type === 'integer')
    [inside[3], outside[3]] = [Array(maxItems).fill(1), Array(maxItems + 1).fill(1)];
  if (values) [inside[4], outside[4]] = [values[0], 'no such value'];
  return [inside.filter((value) => value !== undefined), outside.filter((value) => value !== undefined)];
}

const limited = methods.flatMap((method) =>
  fieldsOf(method)
    .filter(({ schema, encoding }) => !encoding && !schema.pattern && around(schema)[1].length > 0)
    .map((field): [string, typeof method, Field] => [`${method.name} ${field.name}`, method, field]),
);

it('checks every documented limit of a field, at and beyond the limit', () => {
  expect(limited.length).toBeGreaterThan(40);
  for (const [place, method, { name, schema }] of limited) {
    const [inside, outside] = around(schema);
    for (const value of inside)
      expect([place, checkValues(method, { ...method.example, [name]: value })]).toEqual([place, []]);
    for (const value of outside) {
      const [problem, ...others] = checkValues(method, { ...method.example, [name]: value });
      expect([place, problem, others]).toEqual([
        place,
        expect.stringContaining(`${name}: expected ${typeText(schema)}, `),
        [],
      ]);
    }
  }
});

it('accepts the example of every method, and rejects values of another type', () => {
  for (const method of methods) {
    expect([method.name, checkValues(method, method.example)]).toEqual([method.name, []]);
    for (const { name, schema, encoding } of fieldsOf(method)) {
      if (encoding || schema.type === undefined) continue;
      const wrong = [schema.type].flat().includes('boolean') ? 'neither' : true;
      const [problem] = checkValues(method, { ...method.example, [name]: wrong });
      expect([method.name, problem ?? '']).toEqual([method.name, expect.stringContaining(name)]);
    }
  }
});

describe('a problem inside a field', () => {
  const send = findMethod('email.messages.send');
  const check = (change: object): string[] => (send ? checkValues(send, { ...send.example, ...change }) : ['none']);

  it.each<[string, object, string]>([
    [
      'is named by its place',
      { to: [{ email: 'a@example.com' }, { email: 5 }] },
      'to[1].email: expected string, such as "ann.kowal@example.com", not 5.',
    ],
    ['shows a long value in short', { to: 'x'.repeat(90) }, `to: expected list of`],
  ])('%s', (_, change, message) => {
    expect(check(change)).toEqual([expect.stringContaining(message)]);
  });

  it('reports a missing field', () => {
    const create = findMethod('crm.contacts.createLegacy');
    const problems = create && checkValues(create, { ...create.example, messengers: [{ typeId: 1 }] });
    expect(problems).toEqual(['crm.contacts.createLegacy needs messengers[0].login.']);
  });

  it('accepts text as bytes that the client encodes', () => {
    expect(check({ html: new Uint8Array([1]), attachments: { 'a.txt': new Uint8Array([2]) } })).toEqual([]);
  });
});

describe('a condition between fields', () => {
  const problemsOf = (name: string, change: object): values.Problem[] => {
    const method = findMethod(name);
    return method ? values.checkValues(method, { ...method.example, ...change }) : [];
  };

  it('requires an audience for a campaign, like the sandbox', () => {
    expect(problemsOf('messaging.campaigns.create', { address_book: undefined, recipients: undefined })).toEqual([
      { text: 'The campaign has neither a mailing list nor a phone number.', inferred: false },
    ]);
    expect(problemsOf('messaging.campaigns.create', { address_book: 4, recipients: undefined })).toEqual([]);
  });

  it('is checked inside a value that the client writes as JSON', () => {
    const push = (filter_url: object) => problemsOf('messaging.push.campaigns.create', { filter_url });
    expect(push({ type: 'direct', search: ['https://shop.example.com'] })).toEqual([]);
    expect(push({ type: 'include', search: ['https://shop.example.com'] })).toEqual([
      { text: 'filter_url: Without `direct`, `search` is a string.', inferred: false },
    ]);
  });
});

describe('carillon', () => {
  const list = ['crm', 'contacts', 'list', '--limit', '101', '--dry-run'];

  it('does not accept a value outside its limits, with the accepted values, before it connects', async () => {
    const { code, errors, output } = await carillon(list);
    expect([code, output]).toEqual([exitCodes.usage, '']);
    expect(errors).toBe(
      'carillon: limit: expected integer, 1 to 100, such as 50, not 101.\nAdd --unchecked to send the values anyway.\n',
    );
  });

  it('notes a value that breaks only an assumed limit, and sends it', async () => {
    const update = ['crm', 'contacts', 'update', '7', '--responsible-id', '3', '--set', 'firstName=5', '--dry-run'];
    const { code, errors, output } = await carillon(update);
    expect(errors).toBe(
      'firstName: expected string, such as "Ann", not 5. This limit is assumed, not documented, so it does not stop the call.\nDry run: nothing was sent.\n',
    );
    expect([code, output]).toEqual([0, expect.stringContaining('"firstName": 5')]);
  });

  it('sends it with --unchecked, because the documents can be outdated', async () => {
    const { code, output } = await carillon([...list, '--unchecked']);
    expect([code, output]).toEqual([0, expect.stringContaining('"limit": 101')]);
  });
});
