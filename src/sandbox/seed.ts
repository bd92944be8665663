import { crm } from './crm/resources.ts';
import { email } from './email/resources.ts';
import { messaging } from './messaging/resources.ts';
import { seedSource } from './seed-source.ts';
import type { SandboxState } from './state.ts';

/** Fills an empty state. */
export function seed(state: SandboxState, size: number, now: number): void {
  const source = seedSource(size, now);
  crm.seed(state.crm, source);
  messaging.seed(state.messaging, source);
  email.seed(state.email, source);
}
