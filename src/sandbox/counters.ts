import type { Settings } from './data/settings.ts';
import { Table } from './data/table.ts';
import type { SandboxState } from './state.ts';

/** Raises the counters of new IDs above all IDs in use: a snapshot written by hand may not contain them. */
export function raiseCounters({ crm, messaging, email }: SandboxState): void {
  for (const { settings, ...parts } of [crm, messaging, email]) raise(settings, Object.values(parts));
}

function raise(settings: Settings<{ nextId: number }>, parts: readonly unknown[]): void {
  const next = Math.max(...parts.map((part) => (part instanceof Table ? part.highestId() : 0))) + 1;
  if (settings.get('nextId') < next) settings.set('nextId', next);
}
