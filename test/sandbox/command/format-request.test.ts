import { expect, test } from 'vitest';
import { formatRequest } from '../../../src/sandbox/command/command.ts';

const answered = (target: string, status = 200, headers: Record<string, string> = {}) => ({
  method: 'GET',
  target,
  status,
  header: (name: string) => headers[name] ?? null,
  milliseconds: 1.26,
});

test.each([
  ['method, path, status and time', answered('/crm/v1/users'), 'GET /crm/v1/users 200 1.3 ms'],
  [
    'the first rule that rejected it',
    answered('/push/tasks', 422, { 'x-sandbox-rule': 'push-ttl; other' }),
    'GET /push/tasks 422 push-ttl 1.3 ms',
  ],
  [
    'the choice that made it fail',
    answered('/crm/v1/deals/9', 404, { 'x-sandbox-choice': 'unknown-record' }),
    'GET /crm/v1/deals/9 404 unknown-record 1.3 ms',
  ],
  [
    'no choice of a success',
    answered('/crm/v1/users', 200, { 'x-sandbox-choice': 'page' }),
    'GET /crm/v1/users 200 1.3 ms',
  ],
  ['that the connection was dropped', answered('/crm/v1/users', 0), 'GET /crm/v1/users dropped 1.3 ms'],
  ['no credential', answered('/a?access_token=hush&b=1'), 'GET /a?access_token=***&b=1 200 1.3 ms'],
  ['no character that controls the terminal', answered('/a\u001b[31m/ü'), 'GET /a?[31m/? 200 1.3 ms'],
  ['at most 200 characters of the path', answered(`/${'a'.repeat(300)}`), `GET /${'a'.repeat(199)}… 200 1.3 ms`],
])('the line of a request has %s', (_, request, line) => {
  expect(formatRequest(request)).toBe(line);
});
