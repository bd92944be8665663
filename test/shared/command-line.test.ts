import { describe, expect, test } from 'vitest';
import {
  createCommand,
  helpOf,
  type NumberRange,
  parseCommand,
  readNumber,
  repeated,
  UsageError,
} from '../../src/shared/command-line.ts';
import {
  addListenOptions,
  isLoopback,
  type ListenFlags,
  readListenOptions,
} from '../../src/shared/server/listen-options.ts';

interface Flags extends ListenFlags {
  quiet?: boolean;
  control?: boolean;
  ownField?: string[];
}

const create = () =>
  addListenOptions(createCommand('npm run serve --', 'Serves.'), 4000)
    .option('--quiet', 'print no requests')
    .option('--control', 'accept control requests')
    .option('--no-control', 'reject control requests')
    .option('--own-field <name>', 'a field of your account', repeated);

const parse = (...args: string[]) => parseCommand<Flags>(create(), args);

describe('options of a command', () => {
  test("default to the command's port, on this machine only", () => {
    expect(parse()).toEqual({ options: {}, args: [] });
    expect(readListenOptions({}, { port: 4000 })).toEqual({ port: 4000, host: '127.0.0.1' });
    expect(readListenOptions({}, { port: 4000, host: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  test('can be flags, values, lists and negated flags', () => {
    const given = parse('-p', '0', '--host', '::1', '--quiet', '--own-field', 'a', '--own-field=b', '--no-control');
    expect(given?.options).toEqual({ port: '0', host: '::1', quiet: true, ownField: ['a', 'b'], control: false });
    expect(readListenOptions(given?.options ?? {}, {})).toEqual({ port: 0, host: '::1' });
  });

  test('show the help with --help and -h', () => {
    expect([parse('--help'), parse('-h')]).toEqual([undefined, undefined]);
  });

  test('ignore an empty host, such as from an unset variable in a script', () => {
    expect(readListenOptions({ host: '' }, {}).host).toBe('127.0.0.1');
  });

  test.each(['-1', '65536', '4e3', '80 ', '', 'http'])('report the invalid port %j, and explain ports', (port) => {
    const read = () => readListenOptions(parse(`--port=${port}`)?.options ?? {}, {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(`--port must be a whole number from 0 to 65535, not '${port}'.`);
  });

  test.each([['--prot', '1'], ['mock'], ['--port'], ['--quiet=yes']])(
    'report %s in one line that names the help',
    (...args) => {
      expect(() => parse(...args)).toThrow(UsageError);
      expect(() => parse(...args)).toThrow(/^[^\n]+[.?] npm run serve -- --help shows the usage\.$/);
    },
  );

  test('suggest a similar option', () => {
    expect(() => parse('--prot', '1')).toThrow(
      "Unknown option '--prot'. Did you mean --port? npm run serve -- --help shows the usage.",
    );
  });

  test('are described in columns, with --help last', () => {
    expect(helpOf(create())).toBe(
      [
        'Usage: npm run serve -- [options]',
        '',
        'Serves.',
        '',
        'Options:',
        '  -p, --port <number>  port; 0 selects any free port (default 4000)',
        '  --host <name>        address to listen on (default 127.0.0.1: this machine only)',
        '  --quiet              print no requests',
        '  --control            accept control requests',
        '  --no-control         reject control requests',
        '  --own-field <name>   a field of your account',
        '  -h, --help           show this help',
      ].join('\n'),
    );
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1.example.com', false],
  ['sandbox', false],
])('only this machine can reach a server on %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each([
  ['7', { whole: true, min: 1, max: 16 }, 7],
  ['0.5', { above: 0 }, 0.5],
  ['-3', { whole: true }, -3],
  ['0', { min: 0 }, 0],
])('the number option %s is read', (text, range, value) => {
  expect(readNumber(text, 'some', range)).toBe(value);
});

const wholeUpTo16 = { whole: true, min: 1, max: 16 };
const invalidNumbers: [text: string, range: NumberRange, permitted: string][] = [
  ['17', wholeUpTo16, 'whole number from 1 to 16'],
  ['1.5', wholeUpTo16, 'whole number from 1 to 16'],
  ['0', { above: 0, kind: 'number of seconds' }, 'number of seconds above 0'],
  ['-1', { whole: true, min: 0 }, 'whole number of at least 0'],
  ['9007199254740993', { whole: true }, 'whole number'],
];
const noNumbers = ['', ' 1', '1e3', '0x10', 'Infinity', 'NaN', '1.', '+1'];

test.each([...invalidNumbers, ...noNumbers.map((text) => [text, {}, 'number'] as const)])(
  'the invalid number option %j is reported with the permitted values',
  (text, range, permitted) => {
    expect(() => readNumber(text, 'some', range)).toThrow(`--some must be a ${permitted}, not '${text}'.`);
  },
);
