import { expect } from 'vitest';
import { DealStatus } from '../../../generated/crm/models.ts';
import { PushCampaignStatus, SubscriberStatus } from '../../../generated/messaging/models.ts';
import type { CrmState } from '../../../src/sandbox/crm/resources.ts';
import type { EmailState } from '../../../src/sandbox/email/resources.ts';
import type { MessagingState } from '../../../src/sandbox/messaging/resources.ts';
import { countByStatus, subscribersOf } from '../../../src/sandbox/messaging/websites.ts';
import { day } from '../support.ts';
import type { World } from './world.ts';

/** Conditions that must hold after each step. */
export function expectInvariants({ sandbox }: World): void {
  const { crm, messaging, email } = sandbox.state;
  expectDeals(crm);
  expectContacts(crm);
  expectIds(crm);
  expectMessaging(messaging);
  expectEmail(email, sandbox.clock.now());
}

/**
 * Each deal is in exactly one step of its pipeline, the step lists the deal, and the deal's status matches its failure.
 */
function expectDeals({ deals, steps, dealsByStep, dealsByContact }: CrmState): void {
  const standing = [...steps].flatMap(([stepId, { pipelineId }]) =>
    [...dealsByStep.keys(stepId)].map((id) => ({ id, pipelineId, stepId })),
  );
  expect(standing.length).toBe(deals.size);
  for (const { id, pipelineId, stepId } of standing) {
    expect(deals.get(id)?.record).toMatchObject({ id, pipelineId, stepId });
  }
  const statuses: unknown[] = Object.values(DealStatus);
  for (const [id, { record, contacts: linked }] of deals) {
    expect(statuses).toContain(record.status);
    expect(record.failReasonId !== undefined).toBe(record.status === DealStatus.Fail);
    for (const contactId of linked) expect(dealsByContact.keys(contactId).has(id)).toBe(true);
  }
}

/** Links between contacts, deals and tags are in both records, and counts equal sums. */
function expectContacts(crm: CrmState): void {
  const { contacts, deals, tags, contactAttributes, dealsByContact, contactsByTag } = crm;
  let [linked, borne] = [0, 0];
  for (const [id, contact] of contacts) {
    const linkedDeals = dealsByContact.keys(id);
    for (const dealId of linkedDeals) expect(deals.get(dealId)?.contacts).toContain(id);
    for (const tagId of contact.tags ?? []) expect(contactsByTag.keys(tagId).has(id)).toBe(true);
    for (const { attributeId } of contact.values ?? []) expect(contactAttributes.has(attributeId)).toBe(true);
    expect(contact.emails.filter(({ isMain }) => isMain).length).toBeLessThanOrEqual(1);
    expect(contact.updatedAt).toBeGreaterThanOrEqual(contact.createdAt);
    linked += linkedDeals.size;
    borne += contact.tags?.length ?? 0;
  }
  expect(sumOf(deals, ({ contacts: { length } }) => length)).toBe(linked);
  expect(sumOf(tags, ({ id }) => contactsByTag.keys(id).size)).toBe(borne);
}

/** All IDs are unique, and the next ID is free. */
function expectIds(crm: CrmState): void {
  const ids = [
    ...[crm.pipelines, crm.steps, crm.dealAttributes, crm.failReasons].flatMap((table) => [...table.keys()]),
    ...[...crm.deals].flatMap(([id, { notes }]) => [id, ...notes.map((note) => note.id)]),
    ...[...crm.contacts].flatMap(([id, { phones, emails, notes = [] }]) => [
      id,
      ...[...phones, ...emails, ...notes].map((detail) => detail.id),
    ]),
    ...crm.tags.keys(),
    ...crm.contactAttributes.keys(),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.max(0, ...ids)).toBeLessThan(crm.settings.get('nextId'));
}

function expectMessaging(messaging: MessagingState): void {
  const { websites, subscribers, campaigns, pushCampaigns, blacklist, senders } = messaging;
  for (const { id } of websites.values()) {
    const own = [...subscribersOf(messaging, id)];
    for (const status of Object.values(SubscriberStatus)) {
      const having = own.filter(({ record }) => record.status === status);
      expect(countByStatus(messaging, id, status)).toBe(having.length);
    }
  }
  expect(sumOf(websites, ({ id }) => subscribersOf(messaging, id).length)).toBe(subscribers.size);
  for (const [id, campaign] of campaigns) {
    expect(campaign.id).toBe(id);
    expect(senders.has(campaign.senderId)).toBe(true);
    expect(new Set(campaign.phones).size).toBe(campaign.phones.length);
    for (const phone of campaign.blocked) expect(campaign.phones).toContain(phone);
  }
  const statuses = new Set<number>(Object.values(PushCampaignStatus));
  for (const { websiteId, fixedStatus, audience } of pushCampaigns.values()) {
    expect(audience).toBeLessThanOrEqual(subscribersOf(messaging, websiteId).length);
    if (fixedStatus !== undefined) expect(statuses.has(fixedStatus)).toBe(true);
  }
  for (const [phone, entry] of blacklist) expect(entry.phone).toBe(phone);
}

function expectEmail({ messages, unsubscribed, settings }: EmailState, now: number): void {
  for (const [id, message] of messages) {
    expect(message.id).toBe(id);
    expect(message.sentAt).toBeLessThanOrEqual(now);
  }
  for (const [address, entry] of unsubscribed) expect(entry.email.toLowerCase()).toBe(address);
  expect(settings.get('resubscriptions').filter((at) => at > now - day).length).toBeLessThanOrEqual(5);
}

function sumOf<Entry>(records: ReadonlyMap<unknown, Entry>, count: (entry: Entry) => number): number {
  return [...records.values()].reduce((sum, entry) => sum + count(entry), 0);
}
