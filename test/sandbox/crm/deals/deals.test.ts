import { describe, expect, test } from 'vitest';
import { expectChoice, start } from '../../support.ts';

const place = { pipelineId: 1, stepId: 11 };
const update = { ...place, dealId: 501, status: 1, name: 'Annual plan renewal', price: 1200 } as const;

describe('deals', () => {
  test('are created with contacts, values and attachments, and read', async () => {
    const { api } = start({ currency: 'UAH' });
    const created = await api.crm.deals.create({
      ...place,
      responsibleId: 77,
      name: 'Second plan',
      price: 99.5,
      currency: 'USD',
      sourceId: 4,
      contact: [3001, 3002],
      attributes: [
        { attributeId: 210, value: 'AC-1' },
        { attributeId: 211, value: 'Basic' },
      ],
      attachments: ['/contracts/second.pdf'],
    });
    expect(created).toMatchObject({ status: 1, currency: 'USD', price: 99.5, contact: [3001, 3002] });
    expect(await api.crm.deals.get({ dealId: created.id })).toEqual(created);
    expect(await api.crm.deals.attributes.list({ dealId: created.id })).toMatchObject([
      { attributeId: 210, value: 'AC-1' },
      { attributeId: 211, value: 'Basic', options: ['Basic', 'Team', 'Enterprise'] },
    ]);
    expect(await api.crm.contacts.listDeals({ contactId: 3002 })).toMatchObject([{ id: created.id }]);
    const minimal = await api.crm.deals.create(place);
    expect(minimal).toEqual({ id: created.id + 1, ...place, currency: 'UAH', status: 1, contact: [], attributes: [] });
  });

  test('must be in a step of their pipeline', async () => {
    const { api } = start();
    for (const wrong of [
      { pipelineId: 9, stepId: 11 },
      { pipelineId: 1, stepId: 21 },
    ]) {
      await expectChoice(api.crm.deals.create(wrong), 'unknown-reference');
      await expectChoice(api.crm.deals.update({ ...update, ...wrong }), 'unknown-reference');
      await expectChoice(api.crm.deals.changePipeline({ dealId: 501, ...wrong }), 'unknown-reference');
    }
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject(place);
  });

  test('must name existing contacts and attributes, and are otherwise not stored', async () => {
    const { api } = start();
    const { deals } = api.crm;
    await expectChoice(deals.create({ ...place, contact: [3001, 9] }), 'unknown-reference');
    await expectChoice(deals.create({ ...place, attributes: [{ attributeId: 310, value: '1' }] }), 'unknown-reference');
    await expectChoice(deals.create({ ...place, attributes: [{ attributeId: 210 }] }), 'incomplete-entry');
    await expectChoice(deals.create({ ...place, attributes: [{ value: 'x' }] }), 'incomplete-entry');
    expect((await deals.list({})).meta).toMatchObject({ total: 1 });
    expect(await deals.create({ ...place, contact: [], attributes: [], attachments: [] })).toMatchObject({ status: 1 });
  });

  test('name files by their path, and no request contains one [crm-files-by-path]', async () => {
    const { api } = start();
    const attachments = ['/contracts/renewal.pdf', '/contracts/terms.pdf'];
    expect(await api.crm.deals.create({ ...place, attachments })).toMatchObject({ attachments });
    // @ts-expect-error: an attachment is a path
    await expectChoice(api.crm.deals.create({ ...place, attachments: [{ content: 'JVBERi0' }] }), 'request-shape');
  });

  test('an update overwrites its fields [deal-update-overwrites]', async () => {
    const { api } = start();
    const change = { name: 'Shorter plan', price: 0, stepId: 13, responsibleId: 78, currency: 'USD', sourceId: 5 };
    expect(await api.crm.deals.update({ ...update, ...change })).toMatchObject(change);
    const kept = { responsibleId: 78, currency: 'USD', sourceId: 5, attachments: ['/contracts/renewal.pdf'] };
    expect(await api.crm.deals.update(update)).toMatchObject({ ...kept, name: update.name, price: 1200, stepId: 11 });
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ ...kept, contact: [3001] });
    await expectChoice(api.crm.deals.update({ ...update, name: 'x'.repeat(256) }), 'request-shape');
    await expectChoice(api.crm.deals.update({ ...update, dealId: 9 }), 'unknown-record', 404);
  });

  test('take the sent status, whatever the current one [deal-status-as-sent]', async () => {
    const { api } = start();
    for (const before of [0, 1, 2, 3] as const) {
      for (const status of [0, 1, 3] as const) {
        await api.crm.deals.update({ ...update, status: before });
        expect(await api.crm.deals.update({ ...update, status })).toMatchObject({ status });
        expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ status });
      }
    }
    // @ts-expect-error: there is no such status
    await expectChoice(api.crm.deals.update({ ...update, status: 4 }), 'request-shape');
    // @ts-expect-error: a price is required
    await expectChoice(api.crm.deals.update({ ...update, price: undefined }), 'request-shape');
  });

  test('an update without an order puts the deal first [deal-empty-order-goes-to-top]', async () => {
    const { api } = start();
    const { id: second } = await api.crm.deals.create(place);
    const { id: third } = await api.crm.deals.create(place);
    const ids = async (): Promise<number[]> => (await api.crm.deals.list({})).data.map(({ id }) => id);
    expect(await ids()).toEqual([third, second, 501]);
    await api.crm.deals.update(update);
    expect(await ids()).toEqual([501, third, second]);
    expect(await api.crm.deals.update({ ...update, order: 2 })).toMatchObject({ order: 2 });
    await api.crm.deals.update({ ...update, dealId: third, order: 1 });
    expect(await ids()).toEqual([second, third, 501]);
    expect(await api.crm.deals.update(update)).not.toHaveProperty('order');
    expect(await ids()).toEqual([501, second, third]);
  });

  test('move to another pipeline with their status [deal-change-pipeline-places]', async () => {
    const { api } = start();
    await api.crm.deals.update({ ...update, status: 2, failReasonId: 32 });
    await api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepId: 21 });
    const moved = { pipelineId: 2, stepId: 21, status: 2, failReasonId: 32 };
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject(moved);
    for (const missing of [{ pipelineId: 1 }, { stepId: 11 }, JSON.parse('{}')]) {
      await expectChoice(api.crm.deals.changePipeline({ dealId: 501, ...missing }), 'change-pipeline-incomplete');
    }
    await expectChoice(api.crm.deals.changePipeline({ dealId: 9, ...place }), 'unknown-record', 404);
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject(moved);
  });

  test('leave their steps and contacts when deleted', async () => {
    const { api, sandbox } = start();
    await api.crm.deals.delete({ dealId: 501 });
    await expectChoice(api.crm.deals.get({ dealId: 501 }), 'unknown-record', 404);
    await expectChoice(api.crm.deals.delete({ dealId: 501 }), 'unknown-record', 404);
    expect(await api.crm.contacts.listDeals({ contactId: 3001 })).toEqual([]);
    expect(sandbox.state.crm.dealsByStep.keys(11).size).toBe(0);
  });

  test('are listed in pages, with their total', async () => {
    const { api } = start();
    for (let count = 0; count < 4; count += 1) await api.crm.deals.create(place);
    const all = (await api.crm.deals.list({})).data.map(({ id }) => id);
    expect(all).toHaveLength(5);
    const page = await api.crm.deals.list({ limit: 2, offset: 1 });
    expect(page.data.map(({ id }) => id)).toEqual(all.slice(1, 3));
    expect(page.meta).toEqual({ total: 5, searchRequest: '' });
    expect((await api.crm.deals.list({ limit: 2 }).toArray({ max: 9 })).map(({ id }) => id)).toEqual(all);
    await expectChoice(api.crm.deals.list({ limit: -1 }), 'deal-filter-paging');
    await expectChoice(api.crm.deals.list({ limit: 1, offset: 0.5 }), 'deal-filter-paging');
    const filter = { limit: 0, pipelineId: 2 };
    expect((await api.crm.deals.list(filter)).data).toHaveLength(5);
  });
});
