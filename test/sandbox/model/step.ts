import fc from 'fast-check';
import { expectInvariants } from './invariants.ts';
import type { World } from './world.ts';

export type Command = fc.AsyncCommand<object, World>;

/** A group of steps about the same records, and the reads that show these records. */
export interface Group {
  /** Creations to begin with, so that there is something to work on. */
  first?: fc.Arbitrary<Command>[];
  steps: fc.Arbitrary<Command>[];
  /** Every read reply is what the model has. */
  compare(world: World): Promise<void>;
}

/**
 * A kind of step.
 *
 * @param name - what a failure shows, with the numbers that were drawn
 * @param drawn - what is left to chance
 * @param act - makes one request, and compares what comes with the model
 */
export function step<Drawn>(
  name: string,
  drawn: fc.Arbitrary<Drawn>,
  act: (world: World, drawn: Drawn) => Promise<void>,
  compare: Group['compare'],
): fc.Arbitrary<Command> {
  return drawn.map((values) => ({
    // The model decides whether the step is valid; it is taken either way.
    check: () => true,
    async run(_, world) {
      await act(world, values);
      await compare(world);
      expectInvariants(world);
    },
    toString: () => `${name} ${fc.stringify(values)}`,
  }));
}

/** A number that `pick` chooses a record by. */
export const any = fc.nat({ max: 99 });
export const text = fc.constantFrom('Renewal', 'Offer', 'Größe 7', '<b>', "O'Hara", '合同');
