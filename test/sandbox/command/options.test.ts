import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, readFiles, type SandboxConfig } from '../../../src/sandbox/command/config.ts';
import { readSandboxOptions, type SandboxFlags, sandboxCommand } from '../../../src/sandbox/command/options.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { parseCommand } from '../../../src/shared/command-line.ts';
import { isLoopback } from '../../../src/shared/server/listen-options.ts';

function parseSandboxOptions(args: string[], config: SandboxConfig = {}, createToken?: () => string) {
  const given = parseCommand<SandboxFlags>(sandboxCommand('carillon-sandbox'), args);
  const flags = given?.options ?? {};
  return readSandboxOptions(flags, { ...config, ...readFiles({ scenario: flags.scenario }) }, createToken);
}

test.each([
  ['{"status": 503', 'the value is not JSON'],
  ['{"status": "soon"}', 'expected number'],
])('the fault %s is invalid, and the message says why: %s', (fault, reason) => {
  const args = ['--fault', fault];
  expect(() => parseSandboxOptions(args)).toThrow(new RegExp(`--fault .*: [^]*${reason}`));
});

test.each([
  [[], true],
  [['--host', 'localhost'], true],
  [['--no-control'], false],
  [['--host', '0.0.0.0'], false],
  [['--host', '192.0.2.7'], false],
  [['--host', '0.0.0.0', '--control'], true],
])('control with %j: %s', (args, control) => {
  expect(Boolean(parseSandboxOptions(args).sandbox.control)).toBe(control);
});

test('recognizes addresses that only this machine reaches', () => {
  expect(['127.0.0.1', '127.8.0.1', '::1', 'localhost'].filter((host) => !isLoopback(host))).toEqual([]);
  expect(['0.0.0.0', '::', '127.example.com', '10.0.0.1', ''].filter(isLoopback)).toEqual([]);
});

test('has an option for every option of createSandbox', () => {
  const { sandbox, ...rest } = parseSandboxOptions([
    ...['--port', '1', '--host', 'localhost', '--quiet', '--seed', 'none', '--start', '2026-11-04T12:00:00Z'],
    ...[
      '--scenario',
      'empty',
      '--tariff',
      'free',
      '--currency',
      'USD',
      '--api-key',
      'one',
      '--api-key',
      'two',
      '--client',
      'shop:hu:sh',
    ],
    ...['--control-token', 'sesame', '--control-origin', 'http://localhost:3000', '--data', 'kept', '--data-sync'],
    ...['--worlds', 'header:x-worker', '--max-worlds', '7', '--expire-worlds', '2'],
    ...['--fault', '{"status": 503, "times": 2}', '--strict', '--own-field', 'region'],
  ]);
  const expected: Required<Omit<SandboxOptions, 'store'>> = {
    seed: false,
    startAt: Date.UTC(2026, 10, 4, 12),
    tariff: 'free',
    currency: 'USD',
    apiKeys: ['one', 'two'],
    clients: [{ clientId: 'shop', clientSecret: 'hu:sh' }],
    control: { token: 'sesame', origins: ['http://localhost:3000'] },
    worlds: { header: 'x-worker' },
    maxWorlds: 7,
    worldsExpireAfter: 7_200_000,
    scenario: expect.objectContaining({ name: 'empty', seed: false }),
    faults: [{ status: 503, times: 2 }],
    strict: true,
    ownFields: ['region'],
  };
  expect(sandbox).toEqual(expected);
  expect(rest).toMatchObject({ port: 1, host: 'localhost', quiet: true, data: 'kept', dataSync: true });
});

test('a configuration file has the same options, and the command line overrides it', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'carillon-')), 'sandbox.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const written = {
    port: 4100,
    host: '0.0.0.0',
    quiet: true,
    seed: true,
    startAt: '2026-11-04',
    tariff: 'free',
    currency: 'USD',
    apiKeys: ['one'],
    clients: [{ clientId: 'shop', clientSecret: 'hush' }],
    control: { token: 'sesame' },
    worlds: 'credential',
    maxWorlds: 5,
    worldsExpireAfter: 60_000,
    faults: [{ operation: 'getDeal' as const, delay: { min: 1, max: 2 } }],
    strict: true,
    ownFields: ['region'],
  };
  writeFileSync(file, JSON.stringify(written));
  const parse = (...args: string[]) => parseSandboxOptions(args, readConfig(file));
  const { port, host, quiet, ...sandbox } = { ...written, startAt: Date.UTC(2026, 10, 4) };
  expect(parse()).toMatchObject({ port, host, quiet, sandbox });
  expect(parse('--port', '1', '--tariff', 'paid', '--no-control')).toMatchObject({
    port: 1,
    sandbox: { tariff: 'paid', control: false, currency: 'USD' },
  });
  for (const [text, message] of [
    ['{"tarif":"free"}', 'There is no option tarif. Did you mean tariff? The options are seed, '],
    ['{"store":{}}', 'There is no option store.'],
    ['{"seed":"x"}', 'seed must be true, false or a whole number of records from 0 to 1000000'],
    ['{"seed":1000001}', 'seed must be '],
    ['{"currency":"euro"}', 'currency must be '],
    ['{"port":70000}', 'port must be a whole number from 0 to 65535'],
    ['{"startAt":"soon"}', "startAt must be a time such as '2026-11-04T12:00:00Z'"],
    ['{"worlds":{"haeder":"x"}}', "worlds must be 'shared', 'credential' or { header }"],
    ['{"faults":[{"staus":503}]}', 'faults[0]: there is no property staus. Did you mean status?'],
    ['null', 'The options must be an object'],
  ] as const) {
    writeFileSync(file, text);
    expect(() => readConfig(file)).toThrow(`--config ${file}: ${message}`);
  }
  expect(() => readConfig(`${file}.none`)).toThrow(/--config .*no such file/);
});

test('a configuration file names a scenario or contains one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.json');
  const read = (scenario: unknown, ...args: string[]) => {
    writeFileSync(file, JSON.stringify({ scenario }));
    return parseSandboxOptions(args, readConfig(file)).sandbox;
  };
  expect(read('slow')).toMatchObject({ scenario: { name: 'slow' } });
  expect(read('slow', '--scenario', 'empty')).toMatchObject({ scenario: { name: 'empty' } });
  expect(read({ name: 'mine', seed: 4 })).toMatchObject({ scenario: { name: 'mine', seed: 4 } });
  writeFileSync(join(folder, 'mine.json'), '{"name": "of-a-file"}');
  expect(read('./mine.json')).toMatchObject({ scenario: { name: 'of-a-file' } });
  expect(() => read('slwo')).toThrow(/--config .*Did you mean slow\?/);
  expect(() => read({ name: 'mine', sed: 4 })).toThrow(/Did you mean seed\?/);
});

test.each([
  [['--start', 'tomorrow'], /--start must be a time such as 2026-11-04T12:00:00Z, not/],
  [['--start', '2026-11-04T12:00:00'], /--start must be a time such as 2026-11-04T12:00:00Z, not/],
  [['--tariff', 'gold'], "--tariff must be 'paid' or 'free', not 'gold'."],
  [['--currency', 'euro'], /--currency must be a code of three capital letters/],
  [['--client', 'shop'], /--client must be an ID and a secret/],
  [['--worlds', 'mine'], /--worlds must be 'shared', 'credential' or 'header/],
  [['--worlds', 'header:x y'], /--worlds must be /],
  [['--max-worlds', '0'], "--max-worlds must be a whole number above 0, not '0'."],
  [['--expire-worlds', '0'], "--expire-worlds must be a number of hours above 0, not '0'."],
  [['--seed', '1000001'], "--seed must be 'none' or a whole number of records from 0 to 1000000, not '1000001'."],
  [Array(6).fill(['--api-key', 'hush']).flat(), /^--api-key must be a non-empty string, given at most 5 times\.$/],
  [['--api-key', ''], /^--api-key must be /],
  [['--fault', '{"staus": 503}'], /^--fault .*there is no property staus. Did you mean status\?/],
  [['--data-sync'], /--data-sync requires --data/],
])('explains an invalid value: %j', (args, message) => {
  expect(() => parseSandboxOptions(args)).toThrow(message);
});

test('beyond this machine, control needs a token, which is generated and shown unless given', () => {
  const control = (...args: string[]) => parseSandboxOptions(args, {}, () => 'created').sandbox.control;
  expect(control('--host', '0.0.0.0', '--control')).toEqual({ token: 'created' });
  expect(control('--host', '0.0.0.0', '--control-token', 'given')).toEqual({ token: 'given' });
  expect(control('--host', '0.0.0.0', '--control-token', 'given', '--no-control')).toBe(false);
  expect(control()).toEqual({});
});
