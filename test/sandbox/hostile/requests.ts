import { gzipSync } from 'node:zlib';
import fc from '../../fast-check.ts';

/** A documented request, as a base for hostile ones. */
export interface Valid {
  method: string;
  /** Path and query. */
  target: string;
  /** Body as JSON. */
  json?: unknown;
}

/** Bytes to send, in one or several requests on one connection. */
export interface Attack {
  kind: string;
  bytes: Buffer;
  /** Number of complete requests, each of which must be answered. */
  complete: number;
}

const crlf = '\r\n';

function http(
  { method, target }: Valid,
  body: Buffer | string,
  { close = true, headers = [] as string[] } = {},
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer any',
    `Content-Length: ${bytes.length}`,
    ...headers,
    ...(close ? ['Connection: close'] : []),
  ];
  return Buffer.concat([Buffer.from(lines.join(crlf) + crlf + crlf, 'latin1'), bytes]);
}

function one(kind: string, valid: Valid, body: Buffer | string, headers: string[] = []): Attack {
  return { kind, bytes: http(valid, body, { headers }), complete: 1 };
}

/** Replaces the nth place of a JSON value, or adds an own field. */
function replaceAt(value: unknown, place: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const names = Object.keys(value);
  const name = names[place % (names.length + 1)];
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? replaceAt(item, place >> 2, other) : item));
  if (name === undefined) return { ...value, own: other };
  const inner: unknown = Reflect.get(value, name);
  return { ...value, [name]: place % 3 === 0 ? other : replaceAt(inner, place >> 2, other) };
}

/** Adds an own field to a JSON value and every nested object, so that it reaches all stored records. */
export function withOwnFields(value: unknown, own: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withOwnFields(item, own));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withOwnFields(inner, own)]);
  return { ...Object.fromEntries(fields), own };
}

const oddNumbers = [-1, 0, 1e308, -1e308, 5e-324, 2 ** 53, 0.1, -0, 1e21, 253402300800000];
const oddTexts = [
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '../..',
  '{{',
  '%s',
  '\ud800',
  '𝒳'.repeat(300),
  '9999-99-99',
  'é́́',
];
const odd = fc.oneof(
  fc.constantFrom<unknown>(...oddNumbers, ...oddTexts, null, true, [], {}, [[]], [null], { id: 1 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.nat(2_000).map((length) => Array(length).fill('x')),
);

const nesting = fc
  .tuple(fc.integer({ min: 50, max: 20_000 }), fc.constantFrom('[]', '{"a":}'))
  .map(([levels, form]) => {
    const [open = '', end = ''] = form === '[]' ? ['[', ']'] : ['{"a":', '}'];
    return `${open.repeat(levels)}${form === '[]' ? '' : '1'}${end.repeat(levels)}`;
  });

const headerLists = [
  ['Content-Type: text/plain; charset=utf-16'],
  ['Content-Type: application/xml'],
  ['Content-Type: nonsense'],
  ['Content-Encoding: gzip'],
  ['Accept: image/png', 'Expect: nothing'],
  ['X-HTTP-Method-Override: DELETE'],
];

/** A hostile request for each kind of attack. */
export function attacks(valid: readonly Valid[]): fc.Arbitrary<Attack> {
  const operation = fc.constantFrom(...valid);
  const text = ({ json }: Valid) => (json === undefined ? '' : JSON.stringify(json));
  const depth = fc.tuple(operation, fc.nat(500), nesting).map(([on, place, nested]) => {
    const body = JSON.stringify(replaceAt(on.json ?? {}, place, '@nested@')).replace('"@nested@"', nested);
    return one('depth', on, body);
  });
  const types = fc
    .tuple(operation, fc.array(fc.tuple(fc.nat(500), odd), { minLength: 1, maxLength: 3 }))
    .map(([on, changes]) =>
      one(
        'types',
        on,
        JSON.stringify(changes.reduce<unknown>((json, [place, other]) => replaceAt(json, place, other), on.json ?? {})),
      ),
    );
  const size = fc
    .tuple(operation, fc.nat(500), fc.nat(200_000), fc.constantFrom('1,', '"x",', '{},', '[],', 'null,'))
    .map(([on, place, count, item]) => {
      const list = `[${item.repeat(count)}0]`;
      return one('size', on, JSON.stringify(replaceAt(on.json ?? {}, place, '@list@')).replace('"@list@"', list));
    });
  const encodings = fc
    .tuple(operation, fc.nat(5), fc.constantFrom(...headerLists), fc.uint8Array({ maxLength: 60 }))
    .map(([on, form, headers, noise]) => {
      const bytes = Buffer.from(text(on));
      const forms = [
        Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.from(noise), bytes.subarray(bytes.length >> 1)]),
        Buffer.from(text(on), 'utf16le'),
        Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
        gzipSync(bytes),
        Buffer.from(noise),
        bytes.subarray(0, -1),
      ];
      return one('encodings', on, forms[form] ?? bytes, headers);
    });
  const oddPath = fc.constantFrom(
    '%00',
    '%E0%A4',
    '%2e%2e',
    '..;',
    '9'.repeat(400),
    '-1',
    '1e3',
    '%F0%9F%98%80',
    '0x10',
    ' ',
    '__proto__',
    '?a[]=1&a[]=2',
    '?limit=1e999&offset=-1',
    '?%=%&&==',
    `?x=${'y'.repeat(3_000)}`,
  );
  const paths = fc.tuple(operation, oddPath).map(([on, part]) => {
    const target = part.startsWith('?') ? on.target.split('?')[0] + part : on.target.replace(/[^/?]+(?=$|\?)/, part);
    return one('paths', { ...on, target }, text(on));
  });
  const aborted = fc.tuple(operation, fc.nat(100)).map(([on, percent]) => {
    const bytes = http(on, `${text(on)}${' '.repeat(100)}`);
    return { kind: 'aborted', bytes: bytes.subarray(0, Math.floor(((bytes.length - 1) * percent) / 100)), complete: 0 };
  });
  const pipelined = fc.array(fc.tuple(operation, odd), { minLength: 2, maxLength: 8 }).map((list) => {
    const requests = list.map(([on, other], index) =>
      http(on, JSON.stringify(replaceAt(on.json ?? {}, index * 7, other)), { close: index === list.length - 1 }),
    );
    return { kind: 'pipelined', bytes: Buffer.concat(requests), complete: requests.length };
  });
  return fc.oneof(depth, types, size, encodings, paths, aborted, pipelined);
}
