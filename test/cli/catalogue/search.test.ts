import { expect, it } from 'vitest';
import { search } from '../../../src/cli/catalogue/index.ts';

it.each([
  ['send an email', 'email.messages.send'],
  ['block a phone number', 'messaging.blacklist.add'],
  ['add a note to a deal', 'crm.deals.comments.create'],
  ['find contacts by email', 'crm.contacts.listByEmail'],
  ['campaign statistics', 'messaging.campaigns.get'],
  ['move a deal to another stage', 'crm.deals.changePipeline'],
  ['who unsubscribed', 'email.unsubscribes.list'],
  ['label a customer', 'crm.tags.assign'],
  ['team members', 'crm.users.list'],
  ['create funnel', 'crm.pipelines.create'],
  ['invoices of a client', 'crm.payments.listByContact'],
  ['push notification campaign', 'messaging.push.campaigns.create'],
  ['bounced emails', 'email.bounces.list'],
  ['resubscribe', 'email.unsubscribes.requestResubscription'],
  ['web push subscribers', 'messaging.push.websites.listSubscribers'],
  ['delete contact', 'crm.contacts.delete'],
  ['access token', 'crm.oauth.createToken'],
  ['why did we lose deals', 'crm.pipelines.failReasons.list'],
  ['sending domain', 'email.domains.add'],
  ['CONTACTS   list', 'crm.contacts.list'],
  ['lsit contcats', 'crm.contacts.list'],
])('"%s" finds %s among the first five results', (words, name) => {
  expect(search(words, 5).map((method) => method.name)).toContain(name);
});

it.each(['', 'the', 'xyzzy', 'constructor', 'prototype'])('"%s" has no results', (words) => {
  expect(search(words)).toEqual([]);
});

it('returns at most the number of methods asked for', () => {
  expect(search('contact', 3)).toHaveLength(3);
});
