import fc from 'fast-check';
import { expectInvariants } from './invariants.ts';
import type { World } from './world.ts';

export type Command = fc.AsyncCommand<object, World>;

/** A group of steps about the same records, and a check that reads these records. */
export interface Group {
  /** Initial steps that create records for the others. */
  first?: fc.Arbitrary<Command>[];
  steps: fc.Arbitrary<Command>[];
  /** Expects all read responses to match the model. */
  compare(world: World): Promise<void>;
}

/**
 * Creates a kind of step.
 *
 * @param name - name in failure reports, followed by the drawn numbers
 * @param drawn - random input
 * @param act - makes one request, and compares the result with the model
 */
export function step<Drawn>(
  name: string,
  drawn: fc.Arbitrary<Drawn>,
  act: (world: World, drawn: Drawn) => Promise<void>,
  compare: Group['compare'],
): fc.Arbitrary<Command> {
  return drawn.map((values) => ({
    // Always run the step: the model decides whether it is valid.
    check: () => true,
    async run(_, world) {
      await act(world, values);
      await compare(world);
      expectInvariants(world);
    },
    toString: () => `${name} ${fc.stringify(values)}`,
  }));
}

/** A number by which `pick` chooses a record. */
export const any = fc.nat({ max: 99 });
export const text = fc.constantFrom('Renewal', 'Offer', 'Größe 7', '<b>', "O'Hara", '合同');
