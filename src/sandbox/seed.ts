import { seedCrm } from './crm/seed.ts';
import { seedEmail } from './email/seed.ts';
import { seedMessaging } from './messaging/seed.ts';
import { seedSource } from './seed-source.ts';
import type { SandboxState } from './state.ts';

/** Fills an empty state. */
export function seed(state: SandboxState, size: number, now: number): void {
  const source = seedSource(size, now);
  seedCrm(state.crm, source);
  seedMessaging(state.messaging, source);
  seedEmail(state.email, source);
}
