import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type * as Crm from '../../../generated/crm/models.ts';
import type { Client } from '../../../src/client/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { AnyChoice } from '../../../src/sandbox/rules/choices.ts';
import type { AnyRule } from '../../../src/sandbox/rules/rules.ts';
import { rejectionOf, start } from '../support.ts';

/** Expected data of the sandbox: records in the form of responses, by ID, in order of creation. */
export interface Model {
  pipelines: Map<number, PipelineModel>;
  /** In reverse list order. */
  deals: Map<number, DealModel>;
  contacts: Map<number, ContactModel>;
  tags: Map<number, Crm.ContactTag>;
  contactAttributes: Map<number, Crm.ContactAttribute>;
  /** Descriptions by phone number. */
  blacklist: Map<number, string>;
  campaigns: Map<number, { name: string; phones: number[]; blocked: Set<number> }>;
  pushCampaigns: Map<number, { title: string; websiteId: number; createdAt: number }>;
  /** Statuses by ID. */
  subscribers: Map<number, number>;
  emails: Map<string, { recipient: string; subject: string; sentAt: number }>;
  /** Addresses as sent, by address in lower case. */
  unsubscribed: Map<string, string>;
  /** Times of the requests. */
  resubscriptions: number[];
}

export interface PipelineModel {
  record: Crm.Pipeline;
  steps: Map<number, Crm.Step>;
  failReasons: Map<number, Crm.FailReason>;
  /** ID of the pipeline's platform fail reason. */
  ownReason: number;
  attributes: Map<number, Crm.DealAttribute>;
}

export interface DealModel {
  record: Crm.Deal & { pipelineId: number; stepId: number };
  contacts: Set<number>;
  values: Map<number, string>;
  notes: Map<number, string>;
}

export interface ContactModel {
  record: { id: number; firstName: string; responsibleId: number };
  phones: Map<number, string>;
  emails: Map<number, { email: string; isMain: boolean }>;
  notes: Map<number, string>;
  tags: Set<number>;
  values: Map<number, string>;
}

/** A sandbox, its client, and the model to compare it with. */
export interface World {
  sandbox: Sandbox;
  api: Client;
  model: Model;
  /** Number of steps taken, and number of those rejected. */
  taken: { steps: number; rejected: number };
}

export function makeWorld(): World {
  // Keep the seed's senders, templates, mailing lists and websites: most cannot be created by a request.
  const { email, messaging: story } = start().sandbox.snapshot().state;
  const { sandbox, api } = start({ seed: false });
  sandbox.restore({
    state: {
      crm: { users: [{ record: { id: 77 }, isActive: true, isInvited: true }] },
      email: { senders: email.senders, templates: email.templates },
      messaging: {
        ...story,
        websites: story.websites.map((website) => ({ ...website, campaignsCreated: [] })),
        campaigns: [],
        pushCampaigns: [],
        blacklist: [],
      },
    },
  });
  const { messaging } = sandbox.state;
  const model: Model = {
    pipelines: new Map(),
    deals: new Map(),
    contacts: new Map(),
    tags: new Map(),
    contactAttributes: new Map(),
    blacklist: new Map(),
    campaigns: new Map(),
    pushCampaigns: new Map(),
    subscribers: new Map([...messaging.subscribers].map(([id, { record }]) => [id, record.status])),
    emails: new Map(),
    unsubscribed: new Map(),
    resubscriptions: [],
  };
  return { sandbox, api, model, taken: { steps: 0, rejected: 0 } };
}

export type Reason = AnyRule | AnyChoice;

/**
 * Sends one request. If the model has a reason to reject it, the sandbox must reject it for that reason and change
 * nothing. Otherwise the sandbox must accept it, and the response is compared with the model.
 */
export async function attempt<Response>(
  { sandbox, taken }: World,
  {
    against,
    send,
    accept,
  }: { against?: Reason | undefined; send(): PromiseLike<Response>; accept(response: Response): void },
): Promise<void> {
  taken.steps += 1;
  if (against === undefined) {
    accept(await send());
    return;
  }
  taken.rejected += 1;
  await expectUnchanged(sandbox, async () => {
    const { rule, choice } = await rejectionOf(send());
    expect([rule.split(';')[0], choice]).toContain(against);
  });
}

/** Expects an action to change nothing in the sandbox. */
export async function expectUnchanged(sandbox: Sandbox, act: () => Promise<void>): Promise<void> {
  const { state: before } = sandbox.snapshot();
  await act();
  const { state: after } = sandbox.snapshot();
  if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
}

/** Returns the first reason that applies. */
export function firstOf(...reasons: (Reason | false | undefined)[]): Reason | undefined {
  return reasons.find((reason) => typeof reason === 'string');
}

const unknownId = 987_654_321;

/** Returns one of the keys. For every tenth number, or if there are no keys, returns an unknown ID. */
export function pick(keys: Iterable<number>, number: number): number {
  const all = [...keys];
  return number % 10 === 9 ? unknownId : (all[Math.floor(number / 10) % all.length] ?? unknownId);
}

/** Adds a new record. Expects that its ID was not used before. */
export function addNew<Key, Entry>(records: Map<Key, Entry>, id: Key, entry: Entry): void {
  expect(records.has(id), `${id} is new`).toBe(false);
  records.set(id, entry);
}
