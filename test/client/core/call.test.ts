import { expect, test } from 'vitest';
import { pendingCall } from '../../support/pending-call.ts';

const response = new Response();
const whole = { data: 7, meta: { total: 9 }, response };
const done = () => pendingCall(Promise.resolve(whole));
const failure = new Error('reset');
const failed = () => pendingCall<number, undefined>(Promise.reject(failure));

test('await returns the payload and withResponse everything, from one request', async () => {
  const call = done();
  expect(await call).toBe(7);
  expect(await call.withResponse()).toEqual(whole);
  expect((await call.withResponse()).response).toBe(response);
  expect(await call).toBe(7);
});

test('works with Promise.all, race, any, allSettled and resolve', async () => {
  expect(await Promise.all([done(), done()])).toEqual([7, 7]);
  expect(await Promise.race([done()])).toBe(7);
  expect(await Promise.any([failed(), done()])).toBe(7);
  expect(await Promise.resolve(done())).toBe(7);
  expect(await Promise.allSettled([done(), failed()])).toEqual([
    { status: 'fulfilled', value: 7 },
    { status: 'rejected', reason: failure },
  ]);
});

test("has a promise's then, catch and finally", async () => {
  expect(await done().then((data) => data + 1)).toBe(8);
  expect(await done().then()).toBe(7);
  expect(await done().catch(() => 0)).toBe(7);
  expect(await failed().catch((reason: unknown) => reason)).toBe(failure);
  expect(await failed().then(undefined, () => 0)).toBe(0);
  let ended = 0;
  const end = (): void => {
    ended += 1;
  };
  expect(await done().finally(end)).toBe(7);
  await expect(failed().finally(end)).rejects.toBe(failure);
  expect(ended).toBe(2);
});

test('rejects alike for every reader', async () => {
  const call = failed();
  await expect(call).rejects.toBe(failure);
  await expect(call.withResponse()).rejects.toBe(failure);
});

test('its tag names the class', () => {
  expect(Object.prototype.toString.call(done())).toBe('[object Call]');
});
