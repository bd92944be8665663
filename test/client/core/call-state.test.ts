import { expect, test } from 'vitest';
import { CallState } from '../../../src/client/core/call-state.ts';
import { ConfigError, ConnectionError, TokenError } from '../../../src/client/core/errors/local-errors.ts';

const start = () => new CallState('getDeal', 'GET /deals/{dealId}');

test('sent is no before the first attempt, then follows the attempt', () => {
  const call = start();
  expect(call.sent).toBe('no');
  call.current = 'yes';
  expect(call.sent).toBe('yes');
});

test('an attempt that may have been processed makes the call maybe, whatever later attempts say', () => {
  const call = start();
  call.current = 'maybe';
  call.next(true);
  expect(call.sent).toBe('maybe');
  call.next(false);
  call.current = 'yes';
  expect(call.sent).toBe('maybe');
});

test('an attempt that was certainly not processed leaves the decision to the next', () => {
  const call = start();
  call.current = 'yes';
  call.next(false);
  expect(call.sent).toBe('no');
});

test('a success means an answer, even after a lost attempt', () => {
  const call = start();
  call.next(true);
  call.succeed();
  expect([call.sent, call.error]).toEqual(['yes', undefined]);
});

test('an error of the client names its call, and says whether it may have been processed', () => {
  const call = start();
  call.attempts = 2;
  call.next(true);
  const error = new TokenError('No token');
  call.fail(error);
  expect(error).toMatchObject({
    operationId: 'getDeal',
    method: 'GET',
    path: '/deals/{dealId}',
    attempts: 2,
    sent: 'maybe',
  });
  expect([call.error, call.sent]).toEqual([error, 'maybe']);
});

test('an error that already names a call keeps it', () => {
  const error = new ConnectionError('Lost', 'maybe');
  start().fail(error);
  new CallState('createDeal', 'POST /deals').fail(error);
  expect(error).toMatchObject({ operationId: 'getDeal', attempts: 0 });
});

test('does not name the call in errors of others or of another call', () => {
  const [foreign, other] = [new Error('left'), new ConfigError('x')];
  start().fail(foreign);
  start().fail(other, true);
  expect([Object.keys(foreign), other.operationId]).toEqual([[], undefined]);
});

test('the label names method, path and operation', () => {
  expect(start().label).toBe('GET /deals/{dealId} (getDeal)');
});
