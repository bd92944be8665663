import { behaviourJudge } from './behaviour.ts';
import { commandsJudge } from './commands.ts';
import { dataJudge } from './data.ts';
import { methodsJudge } from './methods.ts';
import { packagesJudge } from './packages.ts';
import { typesJudge } from './types.ts';
import type { Judge } from './verdict.ts';
import { wireJudge } from './wire.ts';

/** All judges of a release, in the order of the surfaces. */
export const judges: readonly Judge[] = [
  wireJudge,
  methodsJudge,
  typesJudge,
  packagesJudge,
  dataJudge,
  commandsJudge,
  behaviourJudge,
];
