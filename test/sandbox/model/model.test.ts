import { expect, test } from 'vitest';
import fc, { samples } from '../../fast-check.ts';
import { campaignSteps } from './campaigns.ts';
import { contactSteps } from './contacts.ts';
import { dealSteps } from './deals.ts';
import { emailSteps } from './email.ts';
import { expectInvariants } from './invariants.ts';
import { otherSteps } from './other.ts';
import { pipelineSteps } from './pipelines.ts';
import { pushSteps } from './push.ts';
import type { Group } from './step.ts';
import { makeWorld } from './world.ts';

const crm: Group[] = [contactSteps, pipelineSteps, dealSteps];
const messaging: Group[] = [campaignSteps, pushSteps, emailSteps];

/**
 * Runs random steps in several worlds, one after the other. A failure shows the seed and the shortest sequence of steps
 * that causes it. To replay it, set `seed`, `path` and the `replayPath` of `fc.commands`.
 */
async function drive(groups: Group[], worlds: number): Promise<void> {
  const first = fc.tuple(...groups.flatMap((group) => group.first ?? []));
  const steps = [...groups, otherSteps].flatMap((group) => group.steps);
  const later = fc.commands(steps, { maxCommands: 80, size: 'max' });
  const sum = { steps: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(first, later, async (creations, commands) => {
      const world = makeWorld();
      for (const creation of creations) await creation.run({}, world);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      for (const { compare } of groups) await compare(world);
      expectInvariants(world);
      sum.steps += world.taken.steps;
      sum.rejected += world.taken.rejected;
    }),
    { numRuns: worlds },
  );
  expect(sum.steps).toBeGreaterThan(25 * worlds);
  // Expect many steps of both kinds.
  expect(sum.rejected / sum.steps).toBeGreaterThan(0.1);
  expect(sum.rejected / sum.steps).toBeLessThan(0.75);
}

test('pipelines, deals, contacts and tags match a simple model, step by step', () => drive(crm, samples(2)));

test('campaigns, the blacklist, web push and email match a simple model, step by step', () =>
  drive(messaging, samples(2)));

test('all resources together match a simple model, step by step', () => drive([...crm, ...messaging], samples(2)));
