import fc from 'fast-check';
import { expect } from 'vitest';
import { endpoints } from '../../../src/sandbox/http/handled-operations.ts';
import { hour, minute } from '../support.ts';
import { type Group, step } from './step.ts';
import { expectUnchanged } from './world.ts';

const compare = async (): Promise<void> => {};

/** Advances the clock, so that emails are opened, campaigns sent and quotas renewed. The model does not track any of this. */
const advance = step(
  'let time pass',
  fc.constantFrom(minute, minute, 15 * minute, 15 * minute, 25 * hour),
  async ({ sandbox, taken }, time) => {
    taken.steps += 1;
    sandbox.clock.advance(time);
  },
  compare,
);

const withBody = endpoints.flatMap(({ route }) => (route.body ? [route] : []));
const wrongBodies = ['[]', '42', '"text"', 'null', '{', '{"a":}', '[[[[{}]]]]', '\u0000'];

/** Bodies that match no operation. */
const malform = step(
  'send a body that is not JSON',
  fc.record({ route: fc.nat(withBody.length - 1), body: fc.constantFrom(...wrongBodies) }),
  async ({ sandbox, taken }, { route: index, body }) => {
    const { method = 'POST', path = '/', anonymous } = withBody[index] ?? {};
    const url = `https://sandbox.example.com${path.replaceAll(/\{\w+\}/g, '1')}`;
    const headers = { 'content-type': 'application/json', ...(!anonymous && { authorization: 'Bearer any' }) };
    taken.steps += 1;
    taken.rejected += 1;
    await expectUnchanged(sandbox, async () => {
      const response = await sandbox.fetch(url, { method, headers, body });
      expect([400, 422]).toContain(response.status);
      expect(response.headers.get('x-sandbox-choice')).not.toBeNull();
    });
  },
  compare,
);

export const otherSteps: Group = { steps: [advance, malform], compare };
