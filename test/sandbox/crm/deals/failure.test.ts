import { describe, expect, test } from 'vitest';
import { expectChoice, expectRule, start, unchecked } from '../../support.ts';

const failed = { dealId: 501, pipelineId: 1, stepId: 11, status: 2, name: 'Annual plan renewal', price: 1200 } as const;

describe('fail reasons', () => {
  test('lists default and custom reasons [fail-reasons-default-and-custom]', async () => {
    const { api } = start();
    const created = await api.crm.pipelines.failReasons.create({ pipelineId: 1, name: 'Too slow' });
    expect(created).toMatchObject({ name: 'Too slow', isEnabled: true });
    expect(await api.crm.pipelines.failReasons.list({ pipelineId: 1 })).toMatchObject([
      { id: 31, name: 'default_fail_reason_other' },
      { id: 32, name: 'Chose a competitor' },
      { id: created.id, name: 'Too slow' },
    ]);
  });

  test("a default reason's name is a raw translation key [fail-reason-default-names-are-keys]", async () => {
    const { api } = start();
    const { id: pipelineId } = await api.crm.pipelines.create({ name: 'New' });
    const [reason, ...others] = await api.crm.pipelines.failReasons.list({ pipelineId });
    expect(reason).toMatchObject({ name: 'default_fail_reason_other', isEnabled: true });
    expect(others).toEqual([]);
    await api.crm.pipelines.failReasons.update({ pipelineId, reasonId: reason?.id ?? 0, name: 'Something else' });
    expect(await api.crm.pipelines.failReasons.list({ pipelineId })).toMatchObject([{ name: 'Something else' }]);
  });

  test('an unknown pipeline gets status 404 [fail-reasons-unknown-pipeline]', async () => {
    const { api } = start();
    const rule = 'fail-reasons-unknown-pipeline';
    expect(await api.crm.pipelines.failReasons.list({ pipelineId: 2 })).toHaveLength(1);
    await expectRule(api.crm.pipelines.failReasons.list({ pipelineId: 9 }), rule, 404);
    await expectRule(api.crm.pipelines.failReasons.create({ pipelineId: 9, name: 'x' }), rule, 404);
  });

  test('an invalid reason gets status 422 [fail-reason-invalid]', async () => {
    const { api } = start();
    const { failReasons } = api.crm.pipelines;
    const reason = { pipelineId: 1, reasonId: 32 };
    expect(await failReasons.create({ pipelineId: 1, name: 'x'.repeat(255) })).toMatchObject({ name: 'x'.repeat(255) });
    await expectRule(failReasons.create({ pipelineId: 1, name: 'x'.repeat(256) }), 'fail-reason-invalid');
    for (const order of [1, 10_000]) expect(await failReasons.update({ ...reason, order })).toMatchObject({ order });
    for (const order of [0, 10_001, 1.5])
      await expectRule(failReasons.update({ ...reason, order }), 'fail-reason-invalid');
    await expectRule(failReasons.update({ ...reason, name: 'x'.repeat(256) }), 'fail-reason-invalid');
    const { error } = await api.crm.POST('/pipelines/{pipelineId}/fail-reasons', {
      params: { path: { pipelineId: 1 } },
      // @ts-expect-error: a name is required
      body: {},
    });
    expect(error?.headers.get('x-sandbox-rule')).toContain('fail-reason-invalid; CRM document, section 7');
    expect(await failReasons.list({ pipelineId: 1 })).toHaveLength(3);
  });

  test('an unknown reason gets status 404 [fail-reason-unknown]', async () => {
    const { api } = start();
    const { failReasons } = api.crm.pipelines;
    for (const unknown of [
      { pipelineId: 1, reasonId: 9 },
      { pipelineId: 9, reasonId: 32 },
      { pipelineId: 2, reasonId: 32 },
    ]) {
      await expectRule(failReasons.update({ ...unknown, name: 'x' }), 'fail-reason-unknown', 404);
      await expectRule(failReasons.delete(unknown), 'fail-reason-unknown', 404);
    }
    const update = { pipelineId: 1, reasonId: 32, name: 'Price', isEnabled: false, order: 7 };
    expect(await failReasons.update(update)).toEqual({ id: 32, name: 'Price', isEnabled: false, order: 7 });
    await failReasons.delete({ pipelineId: 1, reasonId: 32 });
    expect(await failReasons.list({ pipelineId: 1 })).toMatchObject([{ id: 31 }]);
  });
});

describe('a deal that fails', () => {
  test('needs an enabled fail reason in its pipeline [deal-fail-needs-enabled-fail-reason]', async () => {
    const { api } = start();
    for (const status of [0, 1, 3] as const) {
      await api.crm.deals.update({ ...failed, status });
      expect(await api.crm.deals.update(failed)).toMatchObject({ status: 2 });
    }
    await api.crm.deals.update({ ...failed, status: 1 });
    for (const reasonId of [31, 32]) {
      await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId, isEnabled: false });
    }
    const rule = 'deal-fail-needs-enabled-fail-reason';
    await expectRule(api.crm.deals.update({ ...failed, name: 'Other' }), rule);
    await expectRule(api.crm.deals.update({ ...failed, failReasonId: 32 }), rule);
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ status: 1, name: 'Annual plan renewal' });
    await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 32, isEnabled: true });
    expect(await api.crm.deals.update(failed)).toMatchObject({ status: 2, failReasonId: 32 });
  });

  test('needs one in the pipeline that the update names', async () => {
    const { api } = start();
    await api.crm.pipelines.failReasons.delete({ pipelineId: 2, reasonId: 33 });
    const moved = { ...failed, pipelineId: 2, stepId: 21 };
    await expectRule(api.crm.deals.update(moved), 'deal-fail-needs-enabled-fail-reason');
    // Documented rules come before choices.
    await expectRule(api.crm.deals.update({ ...moved, stepId: 999 }), 'deal-fail-needs-enabled-fail-reason');
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ pipelineId: 1, stepId: 11 });
  });

  test('fails for the sent reason, or by default for the default one [deal-fail-reason-default]', async () => {
    const { api } = start();
    expect(await api.crm.deals.update({ ...failed, failReasonId: 32 })).toMatchObject({ failReasonId: 32 });
    expect(await api.crm.deals.update(failed)).toMatchObject({ failReasonId: 31 });
    expect(await api.crm.deals.update({ ...failed, failReasonId: 0 })).toMatchObject({ failReasonId: 31 });
    await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 31, order: 9 });
    expect(await api.crm.deals.update(failed)).toMatchObject({ failReasonId: 31 });
    await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 31, isEnabled: false });
    expect(await api.crm.deals.update(failed)).toMatchObject({ failReasonId: 32 });
    await expectChoice(api.crm.deals.update({ ...failed, failReasonId: 31 }), 'fail-reason-disabled');
    await expectChoice(api.crm.deals.update({ ...failed, failReasonId: 33 }), 'unknown-reference');
  });

  test('keeps the comment in its failure [deal-fail-comment-stored]', async () => {
    const { api } = start();
    const failReasonComment = 'x'.repeat(1000);
    await api.crm.deals.update({ ...failed, failReasonComment });
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ failReasonComment });
    await api.crm.deals.update(unchecked({ ...failed, status: 1, failReasonComment }));
    expect(await api.crm.deals.get({ dealId: 501 })).not.toHaveProperty('failReasonComment');
    await expectChoice(
      api.crm.deals.update({ ...failed, failReasonComment: `${failReasonComment}y` }),
      'request-shape',
    );
  });

  test('uses a fail reason only with status 2 [deal-fail-reason-only-when-failed]', async () => {
    const { api } = start();
    for (const status of [0, 1, 3] as const) {
      for (const failReasonId of [32, 999]) {
        await api.crm.deals.update(unchecked({ ...failed, status, failReasonId }));
        expect(await api.crm.deals.get({ dealId: 501 })).not.toHaveProperty('failReasonId');
      }
    }
    await expectChoice(api.crm.deals.update({ ...failed, failReasonId: 999 }), 'unknown-reference');
    expect(await api.crm.deals.update({ ...failed, failReasonId: 32 })).toMatchObject({ failReasonId: 32 });
  });
});
