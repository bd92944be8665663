import type { SeedSource } from '../seed-source.ts';
import { seedBoards } from './boards/state.ts';
import { seedContacts } from './contacts/seed.ts';
import { seedDeals, seedMoreDeals } from './deals/seed.ts';
import { seedPayments } from './payments/state.ts';
import { seedPipelines } from './pipelines/seed.ts';
import type { CrmState } from './state.ts';
import { seedTags } from './tags/state.ts';
import { seedTeam } from './team/state.ts';

/** First new ID, above those of the example story. */
const firstNewId = 10_001;

/** Adds the CRM data of the example story (spec/README.md), `size` contacts, and one deal for every ten of them. */
export function seedCrm(state: CrmState, source: SeedSource): void {
  state.settings.set('nextId', firstNewId);
  seedTeam(state);
  seedPipelines(state);
  seedTags(state);
  seedContacts(state, source);
  seedDeals(state, source);
  seedPayments(state);
  seedBoards(state);
  seedMoreDeals(state, source);
}
