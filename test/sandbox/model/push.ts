import fc from 'fast-check';
import { expect } from 'vitest';
import { SubscriberState, SubscriberStatus } from '../../../generated/messaging/models.ts';
import { messagingReference } from '../../../generated/messaging/reference.ts';
import { any, type Group, step, text } from './step.ts';
import { addNew, attempt, firstOf, pick, type World } from './world.ts';

const quota = messagingReference.createPushCampaign.quota;

async function compare({ api, model }: World): Promise<void> {
  const { campaigns, websites } = api.messaging.push;
  const { data } = await campaigns.list();
  expect(data.map(({ id, title, website_id }) => [id, title, website_id])).toEqual(
    [...model.pushCampaigns].slice(0, 100).map(([id, { title, websiteId }]) => [id, title, websiteId]),
  );
  const statuses = new Map<number, number>();
  for (const { id } of (await websites.list()).data) {
    const { data: own } = await websites.listSubscribers({ id });
    for (const subscriber of own) statuses.set(subscriber.id, subscriber.status);
    const { active_subscribers: active, unsubscribed, total_subscribers: total } = await websites.get({ id });
    const count = (status: SubscriberStatus) => own.filter((subscriber) => subscriber.status === status).length;
    expect([active, unsubscribed]).toEqual([count(SubscriberStatus.Active), count(SubscriberStatus.Unsubscribed)]);
    expect([total, await websites.countSubscribers({ id })]).toMatchObject([own.length, { total: own.length }]);
  }
  expect(statuses).toEqual(model.subscribers);
}

const createCampaign = step(
  'create a web push campaign',
  fc.record({ website: fc.constantFrom(42, 42, 43, 44), title: text, ttl: fc.constantFrom(60, 60, 60, -1) }),
  async (world, { website, title, ttl }) => {
    const now = world.sandbox.clock.now();
    const { pushCampaigns } = world.model;
    const recent = [...pushCampaigns.values()].filter(
      ({ websiteId, createdAt }) => websiteId === website && now - createdAt < quota.seconds * 1_000,
    );
    await attempt(world, {
      against: firstOf(
        ttl < 0 && 'push-time-range',
        website === 44 && 'unknown-record',
        recent.length >= quota.requests && 'push-campaign-quota',
      ),
      send: () => world.api.messaging.push.campaigns.create({ website_id: website, title, body: 'All plans', ttl }),
      accept: ({ id }) => addNew(pushCampaigns, id, { title, websiteId: website, createdAt: now }),
    });
  },
  compare,
);

const readCampaign = step(
  'read a web push campaign',
  any,
  async (world, of) => {
    const id = pick(world.model.pushCampaigns.keys(), of);
    const campaign = world.model.pushCampaigns.get(id);
    await attempt(world, {
      against: firstOf(!campaign && 'unknown-record'),
      send: () => world.api.messaging.push.campaigns.get({ id }),
      accept: (response) => {
        expect(response).toMatchObject({ id, website_id: campaign?.websiteId, message: { title: campaign?.title } });
        const { send, delivered, redirect } = response;
        expect([Number(send) >= delivered, delivered >= redirect]).toEqual([true, true]);
      },
    });
  },
  compare,
);

const setState = step(
  'activate or deactivate a subscriber',
  fc.tuple(any, fc.constantFrom(...Object.values(SubscriberState))),
  async (world, [of, state]) => {
    const { subscribers } = world.model;
    const id = pick(subscribers.keys(), of);
    await attempt(world, {
      against: firstOf(!subscribers.has(id) && 'unknown-record'),
      send: () => world.api.messaging.push.subscribers.setState({ id, state }),
      accept: () => subscribers.set(id, state),
    });
  },
  compare,
);

export const pushSteps: Group = { steps: [createCampaign, readCampaign, setState], compare };
