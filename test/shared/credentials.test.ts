import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { connect } from '../../src/cli/catalogue/index.ts';
import {
  changesNeedTerminal,
  listProfiles,
  readCredentials,
  removeAllCredentials,
  removeCredentials,
  writeCredentials,
} from '../../src/shared/credentials.ts';
import { writePrivately } from '../../src/shared/private-file.ts';
import { createSocketFile } from '../support/socket-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-credentials-'));
afterAll(() => rmSync(folder, { recursive: true }));

const baseUrl = 'https://api.example.com';
const env = { XDG_CONFIG_HOME: folder };
const file = join(folder, 'carillon', 'credentials.json');

it('prefers the environment to the file', () => {
  writeCredentials({ baseUrl: 'https://stored.example.com', auth: { apiKey: 'stored' } }, env);
  const given = { ...env, CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'given' };
  expect(readCredentials(given)).toEqual({ baseUrl, auth: { apiKey: 'given' }, from: 'the environment' });
  expect(readCredentials(env)).toEqual({
    baseUrl: 'https://stored.example.com',
    auth: { apiKey: 'stored' },
    from: file,
    profile: 'default',
  });
});

it('writes the file with mode 600, even over one that others could read', () => {
  writeFileSync(file, '{}');
  chmodSync(file, 0o644);
  writeCredentials({ baseUrl, auth: { clientId: 'id', clientSecret: 'my-secret' } }, env);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readCredentials(env).auth).toEqual({ clientId: 'id', clientSecret: 'my-secret' });
});

it.skipIf(process.platform === 'win32')(
  'does not use, replace or remove what is not a file, such as a device',
  async () => {
    const socket = join(folder, 'socket');
    await createSocketFile(socket);
    expect(() => writePrivately(socket, 'text')).toThrow(`${socket} is not a file`);
    for (const use of [readCredentials, removeAllCredentials])
      expect(() => use({ CARILLON_CREDENTIALS: socket })).toThrow(`${socket} is not a file`);
    expect(statSync(socket).isSocket()).toBe(true);
  },
);

it.each([0o640, 0o604, 0o660, 0o620])(
  'a file that others can open (%o) is invalid, without showing its content',
  (mode) => {
    writeCredentials({ baseUrl, auth: { apiKey: 'my-secret-key' } }, env);
    chmodSync(file, mode);
    expect(() => readCredentials(env)).toThrow(`chmod 600 '${file}'`);
    expect(() => readCredentials(env)).not.toThrow('my-secret-key');
    chmodSync(file, 0o600);
  },
);

it.each([
  ['no credentials', { CARILLON_CREDENTIALS: join(folder, 'none.json') }, 'There are no credentials. Set'],
  ['no base URL', { ...env, CARILLON_API_KEY: 'my-secret-key' }, 'There is no base URL in the environment'],
  [
    'an address alone',
    { ...env, CARILLON_BASE_URL: baseUrl },
    'or unset CARILLON_BASE_URL to use the credentials that carillon login stored',
  ],
  ['half', { CARILLON_BASE_URL: baseUrl, CARILLON_CLIENT_ID: 'my-secret-key' }, 'are incomplete'],
  [
    'two kinds',
    { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'my-secret-key', CARILLON_CLIENT_SECRET: 'my-secret-key' },
    'Keep only one of them',
  ],
])('%s: the error says what to do, without the credentials', (_, variables, message) => {
  expect(() => readCredentials(variables)).toThrow(message);
  expect(() => readCredentials(variables)).not.toThrow('my-secret-key');
});

it('names a damaged file, but does not quote it', () => {
  writeCredentials({ baseUrl, auth: { apiKey: 'my-secret-key' } }, env);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -5));
  expect(() => readCredentials(env)).toThrow(`${file} is not JSON`);
  expect(() => readCredentials(env)).not.toThrow('my-secret-key');
});

it('the sandbox needs no credentials, and does not read the file', async () => {
  const { client, isSandbox } = await connect({ sandbox: true, env: { CARILLON_CREDENTIALS: folder } });
  expect(isSandbox).toBe(true);
  expect((await client.crm.users.list()).length).toBeGreaterThan(0);
});

it('keeps the account and the settings of a profile beside others', () => {
  rmSync(file);
  writeCredentials({ baseUrl, auth: { apiKey: 'first' } }, env, { changesNeedTerminal: true });
  expect(readCredentials(env)).toMatchObject({ auth: { apiKey: 'first' }, profile: 'default' });
  const second = { ...env, CARILLON_PROFILE: 'second' };
  writeCredentials({ baseUrl, auth: { apiKey: 'other' } }, second);
  expect(readCredentials(second)).toMatchObject({ auth: { apiKey: 'other' }, profile: 'second' });
  expect(readCredentials(env)).toMatchObject({ auth: { apiKey: 'first' }, profile: 'default' });
  expect(listProfiles(env).map(({ name }) => name)).toEqual(['default', 'second']);
  expect([statSync(file).mode & 0o777, changesNeedTerminal(second)]).toEqual([0o600, true]);
  removeCredentials(env);
  expect([listProfiles(env).map(({ name }) => name), changesNeedTerminal(second)]).toEqual([['second'], false]);
  expect(() => readCredentials(env)).toThrow('There is no profile default. The profiles are second.');
  removeCredentials(second);
  expect(existsSync(file)).toBe(false);
});

it.each([
  [
    'an unknown profile',
    { CARILLON_PROFILE: 'constructor' },
    'There is no profile constructor. The profiles are default.',
  ],
  ['a name with a path', { CARILLON_PROFILE: '../other' }, 'A profile name has 1 to 64 letters'],
  [
    'a profile beside a variable',
    { CARILLON_PROFILE: 'default', CARILLON_API_KEY: 'my-secret-key' },
    'CARILLON_API_KEY cannot be combined with the profile default',
  ],
])('%s is invalid, in one sentence', (_, variables, message) => {
  writeCredentials({ baseUrl, auth: { apiKey: 'my-secret-key' } }, env);
  expect(() => readCredentials({ ...env, ...variables })).toThrow(message);
  expect(() => readCredentials({ ...env, ...variables })).not.toThrow('my-secret-key');
});
