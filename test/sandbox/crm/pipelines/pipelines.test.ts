import { describe, expect, test } from 'vitest';
import { expectChoice, rejectionOf, start } from '../../support.ts';

describe('pipelines', () => {
  test('are listed, read, created and updated', async () => {
    const { api } = start();
    expect(await api.crm.pipelines.list()).toMatchObject([
      { id: 1, name: 'Renewals', order: 1 },
      { id: 2, name: 'Onboarding', order: 2 },
    ]);
    const created = await api.crm.pipelines.create({ name: 'Repairs', settings: [] });
    expect(created).toMatchObject({ name: 'Repairs', settings: [] });
    expect((await api.crm.pipelines.list()).map(({ id }) => id)).toEqual([1, 2, created.id]);
    await api.crm.pipelines.update({ pipelineId: created.id, order: 0 });
    expect(await api.crm.pipelines.get({ pipelineId: created.id })).toMatchObject({ name: 'Repairs', order: 0 });
    expect((await api.crm.pipelines.list()).map(({ id }) => id)).toEqual([created.id, 1, 2]);
    expect(await api.crm.pipelines.update({ pipelineId: 1, name: 'Yearly' })).toMatchObject({
      name: 'Yearly',
      order: 1,
    });
    expect(await api.crm.pipelines.create({})).not.toHaveProperty('name');
  });

  test('that do not exist get status 404', async () => {
    const { api } = start();
    await expectChoice(api.crm.pipelines.get({ pipelineId: 9 }), 'unknown-record', 404);
    await expectChoice(api.crm.pipelines.update({ pipelineId: 9, name: 'x' }), 'unknown-record', 404);
    await expectChoice(api.crm.pipelines.steps.list({ pipelineId: 9 }), 'unknown-record', 404);
    await expectChoice(api.crm.pipelines.attributes.list({ pipelineId: 9 }), 'unknown-record', 404);
  });

  test('a response carries its payload under data [crm-payload-under-data]', async () => {
    const { sandbox } = start();
    const headers = { authorization: 'Bearer any' };
    const get = async (path: string): Promise<object> =>
      (await sandbox.fetch(`https://sandbox.example.com/crm/v1${path}`, { headers })).json();
    expect(await get('/pipelines/1')).toEqual({ data: { id: 1, name: 'Renewals', order: 1 } });
    expect(Object.keys(await get('/deals/501'))).toEqual(['data']);
    expect(Object.keys(await get('/payments/all'))).toEqual(['data', 'total']);
    expect(await get('/deals/9')).not.toHaveProperty('data');
  });
});

describe('steps', () => {
  test('are listed, created, updated and deleted', async () => {
    const { api } = start();
    expect((await api.crm.pipelines.steps.list({ pipelineId: 1 })).map(({ id }) => id)).toEqual([11, 12, 13]);
    const created = await api.crm.pipelines.steps.create({ pipelineId: 1, name: 'Signed', order: 0, color: 'black' });
    expect(created).toMatchObject({ name: 'Signed', order: 0, color: 'black' });
    expect((await api.crm.pipelines.steps.list({ pipelineId: 1 })).map(({ id }) => id)).toEqual([
      created.id,
      11,
      12,
      13,
    ]);
    const updated = await api.crm.pipelines.steps.update({
      pipelineId: 1,
      stepId: created.id,
      order: 4,
      addEndHours: null,
    });
    expect(updated).toMatchObject({ name: 'Signed', order: 4, addEndHours: null });
    await api.crm.pipelines.steps.delete({ pipelineId: 1, stepId: created.id });
    expect((await api.crm.pipelines.steps.list({ pipelineId: 1 })).map(({ id }) => id)).toEqual([11, 12, 13]);
  });

  test('belong to one pipeline', async () => {
    const { api } = start();
    await expectChoice(api.crm.pipelines.steps.update({ pipelineId: 2, stepId: 11, name: 'x' }), 'unknown-record', 404);
    await expectChoice(api.crm.pipelines.steps.delete({ pipelineId: 2, stepId: 11 }), 'unknown-record', 404);
  });

  test('that contain deals cannot be deleted', async () => {
    const { api } = start();
    await expectChoice(api.crm.pipelines.steps.delete({ pipelineId: 1, stepId: 11 }), 'step-with-deals');
    await api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepId: 21 });
    await api.crm.pipelines.steps.delete({ pipelineId: 1, stepId: 11 });
    await expectChoice(api.crm.pipelines.steps.delete({ pipelineId: 2, stepId: 21 }), 'step-with-deals');
    await api.crm.deals.delete({ dealId: 501 });
    await api.crm.pipelines.steps.delete({ pipelineId: 2, stepId: 21 });
  });

  test('a description is stored on a paid tariff only [step-description-paid-tariff-only]', async () => {
    const step = { pipelineId: 1, name: 'Signed', description: 'On paper' };
    const paid = start({ tariff: 'paid' }).api;
    expect(await paid.crm.pipelines.steps.create(step)).toMatchObject({ description: 'On paper' });
    const free = start({ tariff: 'free' }).api;
    expect(await free.crm.pipelines.steps.create(step)).toMatchObject({ name: 'Signed', description: null });
    const listed = await free.crm.pipelines.steps.list({ pipelineId: 1 });
    expect(listed.at(-1)).toMatchObject({ name: 'Signed', description: null });
  });

  test('an update on the free tariff sets the description to null [step-description-null-on-free-tariff]', async () => {
    const paid = start({ tariff: 'paid' }).api;
    const step = { pipelineId: 1, stepId: 11 };
    expect(await paid.crm.pipelines.steps.update({ ...step, order: 5 })).toMatchObject({
      description: 'Fresh requests',
    });
    expect(await paid.crm.pipelines.steps.update({ ...step, description: 'New' })).toMatchObject({
      description: 'New',
    });
    for (const change of [{ description: 'New' }, { description: null }, { order: 5 }]) {
      const free = start({ tariff: 'free' }).api;
      expect(await free.crm.pipelines.steps.update({ ...step, ...change })).toMatchObject({ description: null });
    }
  });

  test('fields have their documented values and limits', async () => {
    const { sandbox } = start();
    const create = (step: object): Promise<Response> =>
      sandbox.fetch('https://sandbox.example.com/crm/v1/pipelines/1/steps', {
        method: 'POST',
        headers: { authorization: 'Bearer any' },
        body: JSON.stringify(step),
      });
    for (const right of [
      { addEndHours: 8 },
      { addEndHours: null },
      { notifyIn: '0' },
      { description: 'x'.repeat(500) },
    ]) {
      expect((await create(right)).status).toBe(200);
    }
    for (const wrong of [{ addEndHours: 7 }, { notifyIn: 0 }, { color: 'red' }, { description: 'x'.repeat(501) }]) {
      expect((await create(wrong)).status).toBe(422);
    }
  });
});

test('boards are listed, created and read with their settings', async () => {
  const { api } = start();
  expect(await api.crm.boards.list()).toMatchObject([{ id: 61, name: 'Tasks' }]);
  const settings = [{ name: 'responsibleUser', value: '78' } as const];
  const created = await api.crm.boards.create({ name: 'Repairs', settings });
  expect(await api.crm.boards.get({ boardId: created.id })).toMatchObject({ name: 'Repairs', settings });
  expect(await api.crm.boards.list()).toHaveLength(2);
  await expectChoice(api.crm.boards.create({ settings: [{ name: 'color' }] }), 'incomplete-entry');
  expect((await rejectionOf(api.crm.boards.get({ boardId: 9 }))).status).toBe(404);
  expect(await api.crm.boards.list()).toHaveLength(2);
});

test('messenger types are those that contacts can have', async () => {
  const { api, sandbox } = start();
  expect(await api.crm.messengerTypes.list()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  sandbox.state.crm.messengerTypes.clear();
  expect(await api.crm.messengerTypes.list()).toEqual([]);
});

test('payments are read only: of the account, a deal or a contact [payments-read-only]', async () => {
  const { api, sandbox } = start();
  sandbox.state.crm.payments.put({ id: 902, record: {}, contactId: 3002 });
  expect(await api.crm.payments.list().withResponse()).toMatchObject({ data: [{}, {}], meta: { total: 2 } });
  expect(await api.crm.payments.listByDeal({ dealId: 501 }).withResponse()).toMatchObject({
    data: [{}],
    meta: { total: 1 },
  });
  expect(await api.crm.payments.listByContact({ contactId: 3002 }).withResponse()).toMatchObject({
    meta: { total: 1 },
  });
  expect((await rejectionOf(api.crm.payments.listByDeal({ dealId: 9 }))).status).toBe(404);
  expect((await rejectionOf(api.crm.payments.listByContact({ contactId: 9 }))).status).toBe(404);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const headers = { authorization: 'Bearer any' };
    const response = await sandbox.fetch('https://sandbox.example.com/crm/v1/payments/all', { method, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
});
