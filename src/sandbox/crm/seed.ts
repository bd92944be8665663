import type { SeedSource } from '../seed-source.ts';
import { seedBoards } from './boards/state.ts';
import { seedContacts } from './contacts/seed.ts';
import { seedDeals, seedMoreDeals } from './deals/seed.ts';
import { seedPayments } from './payments/state.ts';
import { seedPipelines } from './pipelines/seed.ts';
import type { CrmState } from './state.ts';
import { seedTags } from './tags/state.ts';
import { seedTeam } from './team/state.ts';

/** New IDs begin here, above those of the story. */
const firstNewId = 10_001;

/** Fills this part with the story of the examples (spec/README.md), and with `size` contacts and a tenth as many deals. */
export function seedCrm(state: CrmState, source: SeedSource): void {
  state.nextId = firstNewId;
  seedTeam(state);
  seedPipelines(state);
  seedTags(state);
  seedContacts(state, source);
  seedDeals(state);
  seedPayments(state);
  seedBoards(state);
  seedMoreDeals(state, source);
}
