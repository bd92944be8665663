import { expect } from 'vitest';
import { DealStatus } from '../../../generated/crm/models.ts';
import { PushCampaignStatus, SubscriberStatus } from '../../../generated/messaging/models.ts';
import type { CrmState } from '../../../src/sandbox/crm/state.ts';
import type { EmailState } from '../../../src/sandbox/email/state.ts';
import type { MessagingState } from '../../../src/sandbox/messaging/state.ts';
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
function expectDeals({ deals, pipelines, contacts }: CrmState): void {
  const standing = [...pipelines].flatMap(([pipelineId, { steps }]) =>
    [...steps].flatMap(([stepId, { deals: ids }]) => [...ids].map((id) => ({ id, pipelineId, stepId }))),
  );
  expect(standing.length).toBe(deals.size);
  for (const { id, pipelineId, stepId } of standing) {
    expect(deals.get(id)?.record).toMatchObject({ id, pipelineId, stepId });
  }
  const statuses: unknown[] = Object.values(DealStatus);
  for (const [id, { record, contacts: linked }] of deals) {
    expect(statuses).toContain(record.status);
    expect(record.failReasonId !== undefined).toBe(record.status === DealStatus.Fail);
    for (const contactId of linked) expect(contacts.get(contactId)?.deals?.has(id)).toBe(true);
  }
}

/** Links between contacts, deals and tags are in both records, and counts equal sums. */
function expectContacts({ contacts, deals, tags, contactAttributes }: CrmState): void {
  let [linked, borne] = [0, 0];
  for (const [id, contact] of contacts) {
    for (const dealId of contact.deals ?? []) expect(deals.get(dealId)?.contacts.has(id)).toBe(true);
    for (const tagId of contact.tags ?? []) expect(tags.get(tagId)?.contacts.has(id)).toBe(true);
    for (const attributeId of contact.values?.keys() ?? []) expect(contactAttributes.has(attributeId)).toBe(true);
    expect(contact.emails.filter(({ isMain }) => isMain).length).toBeLessThanOrEqual(1);
    expect(contact.updatedAt).toBeGreaterThanOrEqual(contact.createdAt);
    linked += contact.deals?.size ?? 0;
    borne += contact.tags?.size ?? 0;
  }
  expect(sumOf(deals, ({ contacts: { size } }) => size)).toBe(linked);
  expect(sumOf(tags, ({ contacts: { size } }) => size)).toBe(borne);
}

/** All IDs are unique, and the next ID is free. */
function expectIds(crm: CrmState): void {
  const ids = [
    ...[...crm.pipelines.values()].flatMap(({ record, steps, attributes, failReasons }) => [
      record.id,
      ...steps.keys(),
      ...attributes.keys(),
      ...failReasons.keys(),
    ]),
    ...[...crm.deals].flatMap(([id, { notes }]) => [id, ...notes.keys()]),
    ...[...crm.contacts].flatMap(([id, { phones, emails, notes = new Map<number, unknown>() }]) => [
      id,
      ...[...phones, ...emails].map((detail) => detail.id),
      ...notes.keys(),
    ]),
    ...crm.tags.keys(),
    ...crm.contactAttributes.keys(),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.max(0, ...ids)).toBeLessThan(crm.nextId);
}

function expectMessaging({
  websites,
  subscribers,
  campaigns,
  pushCampaigns,
  blacklist,
  senders,
}: MessagingState): void {
  for (const { subscribers: own, byStatus, byDay } of websites.values()) {
    for (const counts of [byStatus, byDay]) expect(sumOf(counts, (count) => count)).toBe(own.size);
    for (const status of Object.values(SubscriberStatus)) {
      const having = [...own.values()].filter(({ record }) => record.status === status);
      expect(byStatus.get(status) ?? 0).toBe(having.length);
    }
  }
  expect(sumOf(websites, ({ subscribers: { size } }) => size)).toBe(subscribers.size);
  for (const [id, campaign] of campaigns) {
    expect(campaign.id).toBe(id);
    expect(senders.has(campaign.senderId)).toBe(true);
    expect(new Set(campaign.phones).size).toBe(campaign.phones.length);
    for (const phone of campaign.blocked) expect(campaign.phones).toContain(phone);
  }
  const statuses = new Set<number>(Object.values(PushCampaignStatus));
  for (const { websiteId, fixedStatus, audience } of pushCampaigns.values()) {
    expect(audience).toBeLessThanOrEqual(websites.get(websiteId)?.subscribers.size ?? -1);
    if (fixedStatus !== undefined) expect(statuses.has(fixedStatus)).toBe(true);
  }
  for (const [phone, entry] of blacklist) expect(entry.phone).toBe(phone);
}

function expectEmail({ messages, unsubscribed, resubscriptions }: EmailState, now: number): void {
  for (const [id, message] of messages) {
    expect(message.id).toBe(id);
    expect(message.sentAt).toBeLessThanOrEqual(now);
  }
  for (const [address, entry] of unsubscribed) expect(entry.email.toLowerCase()).toBe(address);
  expect(resubscriptions.filter((at) => at > now - day).length).toBeLessThanOrEqual(5);
}

function sumOf<Entry>(records: ReadonlyMap<unknown, Entry>, count: (entry: Entry) => number): number {
  return [...records.values()].reduce((sum, entry) => sum + count(entry), 0);
}
