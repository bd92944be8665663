import type { Settings } from './data/settings.ts';
import type { SandboxState } from './state.ts';

/** Raises the counters of new IDs above all IDs in use: a snapshot written by hand may not contain them. */
export function raiseCounters({ crm, messaging, email }: SandboxState): void {
  raise(crm.settings, [
    ...[crm.pipelines, crm.steps, crm.dealAttributes, crm.failReasons, crm.deals, crm.contacts].map(highestKey),
    ...[crm.contactAttributes, crm.tags, crm.boards].map(highestKey),
    highest(crm.deals.values(), ({ notes }) => notes),
    highest(crm.contacts.values(), ({ phones, emails, messengers, notes = [] }) =>
      [phones, emails, messengers, notes].flat(),
    ),
  ]);
  raise(messaging.settings, [
    ...[messaging.campaigns, messaging.pushCampaigns, messaging.subscribers].map(highestKey),
    highest(messaging.blacklist.values(), (entry) => [entry]),
  ]);
  raise(email.settings, [
    highest(email.domains.values(), (domain) => [domain]),
    highest(email.messages.keys(), (id) => [{ id: Number(/(\d+)$/.exec(id)?.[1] ?? 0) }]),
  ]);
}

function raise(settings: Settings<{ nextId: number }>, used: readonly number[]): void {
  const next = Math.max(...used) + 1;
  if (settings.get('nextId') < next) settings.set('nextId', next);
}

function highestKey(table: ReadonlyMap<number, unknown>): number {
  return highest(table.keys(), (id) => [{ id }]);
}

function highest<Entry>(entries: Iterable<Entry>, idsOf: (entry: Entry) => readonly { id: number }[]): number {
  let most = 0;
  for (const entry of entries) for (const { id } of idsOf(entry)) if (id > most) most = id;
  return most;
}
