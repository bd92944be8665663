import { expect, test } from 'vitest';
import { Settings } from '../../../src/sandbox/data/settings.ts';
import { Table } from '../../../src/sandbox/data/table.ts';
import type { SnapshotInput } from '../../../src/sandbox/index.ts';
import { send } from '../raw.ts';
import { startAt as now, start } from '../support.ts';

const control = (options = {}) => start({ control: true, ...options });
const json = async (response: Promise<Response>) => (await response).json();

test('GET and PUT copy the state of one sandbox to another', async () => {
  const [one, other] = [control({ seed: 20 }), control({ seed: false })];
  const body = await json(send(one.sandbox, 'GET /__sandbox/state'));
  expect((await send(other.sandbox, 'PUT /__sandbox/state', { body })).status).toBe(204);
  expect(other.sandbox.state).toEqual(one.sandbox.state);
  expect(other.sandbox.clock.now()).toBe(now);
});

test('a fixture with some tables keeps the others: templates, mailing lists, team, payments', async () => {
  const { sandbox, api } = control();
  const fixture: SnapshotInput = {
    state: {
      crm: {
        users: [{ record: { id: 90 }, isActive: true, isInvited: true }],
        payments: [{ id: 1, record: { amount: 5 }, dealId: 501 }],
      },
      messaging: { mailingLists: [{ id: 7, phones: [15550100123] }] },
      email: { templates: [{ id: '9', realId: '9', html: '<p>Hi</p>', text: null }] },
    },
  };
  expect((await send(sandbox, 'PUT /__sandbox/state', { body: fixture })).status).toBe(204);
  expect(await api.crm.users.list()).toEqual([{ id: 90 }]);
  expect(await api.crm.payments.listByDeal({ dealId: 501 })).toEqual([{ amount: 5 }]);
  expect([...sandbox.state.messaging.mailingLists.keys()]).toEqual([7]);
  expect([...sandbox.state.email.templates.keys()]).toEqual(['9']);
  expect(sandbox.state.crm.contacts.size).toBe(2);
});

test('each table is named by its place in a snapshot', () => {
  for (const [area, parts] of Object.entries(start().sandbox.state))
    for (const [place, part] of Object.entries(parts))
      if (part instanceof Table || part instanceof Settings) expect(part.name).toBe(`${area}.${place}`);
});

test('new IDs are above those of a fixture', async () => {
  const { sandbox, api } = control({ seed: false });
  const pipelines = [{ id: 70_000, name: 'Big' }];
  const steps = [{ pipelineId: 70_000, record: { id: 80_000 } }];
  sandbox.restore({ state: { crm: { pipelines, steps } } });
  const { id } = await api.crm.deals.create({ pipelineId: 70_000, stepId: 80_000, name: 'First' });
  expect(id).toBe(80_001);
});

test('a record of a fixture can name one that does not exist, which lists leave out', async () => {
  const { sandbox, api } = control();
  sandbox.restore({ state: { crm: { contacts: [], tags: [] } } });
  expect(await api.crm.deals.contacts.list({ dealId: 501 })).toEqual([]);
  expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ contact: [3001] });
});

test.each<[unknown, string]>([
  [{ state: { crm: { tags: [{ id: 1 }, { id: 'two' }] } } }, 'state.crm.tags[1].id'],
  [{ state: { crm: { contacts: [{ record: { id: 1 } }] } } }, 'state.crm.contacts[0].createdAt'],
  [{ state: { crm: { contact: [] } } }, 'contact'],
  [{ state: { crm: { tags: [{ id: 1 }, { id: 1 }] } } }, 'state.crm.tags: two records have the same key'],
  [{ clock: { frozenAt: 1e300, ahead: 0 } }, 'clock.frozenAt'],
  [[], 'snapshot'],
  [null, 'snapshot'],
])('an invalid snapshot changes nothing, and the message names the place: %#', async (snapshot, place) => {
  const { sandbox } = control();
  const before = sandbox.snapshot();
  const rejected = await send(sandbox, 'PUT /__sandbox/state', { body: snapshot });
  expect([rejected.status, (await rejected.json()).message]).toEqual([400, expect.stringContaining(place)]);
  expect(() => sandbox.restore(snapshot as SnapshotInput)).toThrow(place);
  expect(sandbox.snapshot()).toEqual(before);
});

test('takes, lists, reads, restores and deletes named snapshots', async () => {
  const { sandbox } = control();
  expect((await send(sandbox, 'PUT /__sandbox/snapshots/first')).status).toBe(204);
  await send(sandbox, 'DELETE /crm/v1/deals/501');
  const first = await json(send(sandbox, 'GET /__sandbox/snapshots/first'));
  expect(first.state.crm.deals).toMatchObject([{ record: { id: 501 } }]);
  await send(sandbox, 'POST /__sandbox/snapshots/first/restore');
  await send(sandbox, 'PUT /__sandbox/snapshots/copy%20of%20it');
  await send(sandbox, 'DELETE /crm/v1/deals/501');
  expect(await json(send(sandbox, 'GET /__sandbox/snapshots'))).toEqual(['first', 'copy of it']);
  await send(sandbox, 'DELETE /__sandbox/snapshots/first');
  expect((await send(sandbox, 'POST /__sandbox/snapshots/first/restore')).status).toBe(400);
  expect((await send(sandbox, 'POST /__sandbox/snapshots/copy%20of%20it/restore')).status).toBe(204);
  expect(sandbox.state.crm.deals.has(501)).toBe(true);
});

test('limits the number of snapshots with a name', async () => {
  const { sandbox } = control();
  expect((await send(sandbox, 'PUT /__sandbox/snapshots/x', { body: { state: {} } })).status).toBe(400);
  for (let index = 0; index < 50; index += 1) await send(sandbox, `PUT /__sandbox/snapshots/s${index}`);
  const rejected = await send(sandbox, 'PUT /__sandbox/snapshots/more');
  expect([rejected.status, (await rejected.json()).message]).toEqual([400, expect.stringContaining('50 snapshots')]);
  expect((await send(sandbox, 'PUT /__sandbox/snapshots/s1')).status).toBe(204);
});
