import { expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { carillon } from '../../support/terminal.ts';

const files = {
  'mail.txt': 'Hello Ann',
  page: '<p>Hi</p>',
  'photo.png': new Uint8Array([0x89, 0x50, 0xff]),
  'mail.html': '<p>Hello</p>',
  './contract.pdf': 'PDF',
  'from.txt': 'Sales',
};
const send = ['email', 'messages', 'send', '--subject', 'Hi', '--to', '{"email":"ann@example.com"}', '--dry-run'];

async function bodyOf(...args: string[]): Promise<{ code: number; errors: string; email: Record<string, unknown> }> {
  const { code, output, errors } = await carillon([...send, ...args], { files });
  const [, json = '{}'] = output.split('\n\n');
  return { code, errors, email: JSON.parse(json).email ?? {} };
}
const from = ['--from', 'email=sales@example.com'];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

it('reads a file for a value that begins with @, in every text field and map value', async () => {
  const { code, email, errors } = await bodyOf(
    ...['--from', 'email=sales@example.com', '--from', 'name=@from.txt', '--html', '@mail.html', '--text', '@mail.txt'],
    ...['--attachments', 'a.txt=@mail.txt', '--attachments-binary', 'a.pdf=@./contract.pdf'],
  );
  expect(errors).toContain('--attachments-binary is the content of ./contract.pdf (3 bytes).\n');
  expect(code).toBe(0);
  expect(email).toMatchObject({
    from: { email: 'sales@example.com', name: 'Sales' },
    html: base64('<p>Hello</p>'),
    text: 'Hello Ann',
    attachments: { 'a.txt': 'Hello Ann' },
    attachments_binary: { 'a.pdf': base64('PDF') },
  });
});

it('writes a leading @ as @@', async () => {
  const { email } = await bodyOf(...from, '--html', '@@ann', '--text', '@@ann', '--attachments', 'a.txt=@@b');
  expect(email).toMatchObject({ html: base64('@ann'), text: '@ann', attachments: { 'a.txt': '@b' } });
});

it.each([
  [['--text', '@none.txt'], '--text: the file none.txt cannot be read. To send the text itself, write @@none.txt.'],
  [['--attachments', 'a.txt=@none.txt'], '--attachments: the file none.txt cannot be read.'],
  [['--text', 'mail.txt'], '--text: mail.txt is a file. To send the content of the file, write @mail.txt.'],
  [['--attachments-binary', 'a.pdf=./contract.pdf'], '--attachments-binary: ./contract.pdf is a file.'],
  [
    ['--html', 'page'],
    '--html: page is a file. To send the content of the file, write @page. To send the name, write @=page.',
  ],
  [['--attachments', 'a.png=@photo.png'], '--attachments: photo.png is not UTF-8 text.'],
])('does not accept %j and suggests the correct form', async (args, message) => {
  const { code, errors } = await bodyOf(...from, '--html', 'x', ...args);
  expect([code, errors]).toEqual([exitCodes.usage, expect.stringContaining(message)]);
});

it('treats @ as plain text in methods that send no file contents', async () => {
  const ran = await carillon(['crm', 'tags', 'create', '--name', 'mail.txt', '--dry-run'], { files });
  expect([ran.code, ran.output]).toEqual([0, expect.stringContaining('"mail.txt"')]);
});

it('does not accept a file that is not text, and names the flag for binary files', async () => {
  const send = ['email', 'messages', 'send', '--attachments', 'a.pdf=@a.pdf', '--dry-run'];
  const ran = await carillon(send, { files: { 'a.pdf': new Uint8Array([0x25, 0xff]) } });
  expect([ran.code, ran.errors]).toEqual([
    exitCodes.usage,
    expect.stringContaining('--attachments: a.pdf is not UTF-8 text. For other files, use --attachments-binary.'),
  ]);
});

it('reads files for undocumented fields, too', async () => {
  const set = ['--set', 'note=@mail.txt', '--set', 'list=@list.json', '--set', 'who=@@ann', '--set', 'none=@none.txt'];
  const call = (args: string[]) =>
    carillon(['crm', 'boards', 'create', '--name', 'Tasks', ...args, '--dry-run'], {
      files: { ...files, 'list.json': '[1, 2]' },
    });
  expect((await call(set.slice(0, 6))).output).toMatch(
    /"note": "Hello Ann",\s+"list": \[\s+1,\s+2\s+\],\s+"who": "@ann"/,
  );
  const { code, errors } = await call(set);
  expect([code, errors]).toEqual([
    exitCodes.usage,
    expect.stringContaining('--set: the file none.txt cannot be read.'),
  ]);
});
