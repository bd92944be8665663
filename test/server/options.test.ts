import { describe, expect, test } from 'vitest';
import {
  type Command,
  describeOptions,
  isLoopback,
  parseOptions,
  UsageError,
} from '../../src/shared/server/options.ts';

const command: Command<'quiet' | 'own-field' | 'control'> = {
  line: 'npm run serve --',
  port: 4000,
  options: {
    quiet: { type: 'boolean', text: 'print no requests' },
    control: { type: 'boolean', negatable: true, text: 'accept control requests' },
    'own-field': { type: 'string', multiple: true, value: 'name', text: 'a field of your account' },
  },
};

describe('options of a command', () => {
  test('default to its port on this machine alone', () => {
    expect(parseOptions(command, [])).toEqual({ port: 4000, host: '127.0.0.1', help: false, given: {} });
    expect(parseOptions({ ...command, host: '0.0.0.0' }, []).host).toBe('0.0.0.0');
  });

  test('are flags, values, lists and negated flags', () => {
    const args = ['-p', '0', '--host', '::1', '--quiet', '--own-field', 'a', '--own-field=b', '--no-control', '-h'];
    expect(parseOptions(command, args)).toEqual({
      port: 0,
      host: '::1',
      help: true,
      given: { quiet: true, 'own-field': ['a', 'b'], control: false },
    });
  });

  test('ignore an empty host, as an unset variable in a script gives it', () => {
    expect(parseOptions(command, ['--host', '']).host).toBe('127.0.0.1');
  });

  test.each(['-1', '65536', '4e3', '80 ', '', 'http'])('refuse the port %j, and say what a port is', (port) => {
    const parse = () => parseOptions(command, [`--port=${port}`]);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(`--port is a whole number from 0 to 65535, not '${port}'.`);
  });

  test.each([['--prot', '1'], ['mock'], ['--port'], ['--quiet=yes']])('refuse %s, and name the help', (...args) => {
    const parse = () => parseOptions(command, args);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(/^[^.]+\. npm run serve -- --help shows the usage\.$/);
  });

  test('are described in columns, with --help last', () => {
    expect(describeOptions(command)).toBe(
      [
        'Usage: npm run serve -- [options]',
        '',
        '  -p, --port <number>     port; 0 takes any free one (default 4000)',
        '      --host <name>       address to listen on (default 127.0.0.1: this machine only)',
        '      --quiet             print no requests',
        '      --[no-]control      accept control requests',
        '      --own-field <name>  a field of your account',
        '  -h, --help              show this help',
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
