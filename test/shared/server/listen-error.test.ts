import { expect, test } from 'vitest';
import { ListenError, toListenError } from '../../../src/shared/server/listen-error.ts';

test.each([
  ['EADDRINUSE', /^Port 80 on here is in use\. .*--port/],
  ['EACCES', /^You have no permission to use port 80\. .*above 1023/],
  ['EADDRNOTAVAIL', /^here is not an address of this machine\. .*--host/],
  ['ENOTFOUND', /^The host name here cannot be resolved\. .*--host/],
])('%s says what to do, and keeps the cause', (code, message) => {
  const cause = Object.assign(new Error('listen'), { code });
  const error = toListenError(cause, 'here', 80);
  expect(error).toBeInstanceOf(ListenError);
  expect(error).toMatchObject({ message: expect.stringMatching(message), cause });
});

test.each([[new Error('other')], [Object.assign(new Error('other'), { code: 'EMFILE' })], ['text']])(
  'returns other errors unchanged',
  (error) => {
    expect(toListenError(error, 'here', 80)).toBe(error);
  },
);
