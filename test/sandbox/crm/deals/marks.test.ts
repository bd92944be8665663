import { testMarks } from '../marks.ts';

const renewal = { pipelineId: 1, stepId: 11, name: 'Renewal', price: 1 };
const update = { ...renewal, status: 1 };
const wholeUpdate = { ...update, responsibleId: 77, currency: 'EUR', sourceId: 4, order: 1 };
const mandatory = { name: 'Source', type: 0, mandatory: true };

testMarks([
  ['omitted-fields-kept', [['PUT /pipelines/1', { name: 'A' }]], [['PUT /pipelines/1', { name: 'A', order: 1 }]]],
  [
    'omitted-fields-kept',
    [['PUT /pipelines/1/steps/11', { name: 'A' }]],
    [['PUT /pipelines/2/steps/21', { name: 'A', order: 1, color: 'black' }]],
  ],
  ['omitted-fields-kept', [['PUT /deals/501', update]], [['PUT /deals/501', wholeUpdate]]],
  [
    'omitted-fields-kept',
    [['PUT /pipelines/1/fail-reasons/31', { name: 'A' }]],
    [['PUT /pipelines/1/fail-reasons/31', { name: 'A', isEnabled: true, order: 1 }]],
  ],
  [
    'omitted-fields-kept',
    [
      ['PUT /deals/501', { ...wholeUpdate, status: 2, failReasonComment: 'Too dear' }],
      ['PUT /deals/501', { ...wholeUpdate, status: 2 }],
    ],
    [['PUT /deals/501', { ...wholeUpdate, status: 2 }]],
  ],
  ['listed-by-order', [['GET /pipelines/1/steps']], [['GET /pipelines/2/steps']]],
  [
    'facts-without-field-names',
    [['GET /deals/501/comments']],
    [['DELETE /deals/501/comments/801'], ['GET /deals/501/comments']],
  ],
  ['deal-order', [['POST /deals', renewal], ['POST /deals/get-list']], [['POST /deals/get-list']]],
  [
    'deal-order-emptied',
    [
      ['PUT /deals/501', { ...update, order: 1 }],
      ['PUT /deals/501', update],
    ],
    [['PUT /deals/501', update]],
  ],
  ['deal-deleted', [['DELETE /deals/501']], [['POST /deals', renewal], ['DELETE /deals/10001']]],
  [
    'contact-linked-twice',
    [['POST /deals', { ...renewal, contact: [3001, 3001] }]],
    [['POST /deals', { ...renewal, contact: [3001, 3002] }]],
  ],
  [
    'value-replaced',
    [['POST /deals', { ...renewal, attributes: ['A', 'B'].map((value) => ({ attributeId: 210, value })) }]],
    [['POST /deals', { ...renewal, attributes: [{ attributeId: 210, value: 'A' }] }]],
  ],
  [
    'values-follow-pipeline',
    [['POST /deals/501/change-pipeline', { pipelineId: 2, stepId: 21 }], ['GET /deals/501']],
    [['GET /deals/501']],
  ],
  [
    'values-follow-pipeline',
    [['DELETE /pipelines/1/attributes/210'], ['GET /deals/501/attributes']],
    [['GET /deals/501/attributes']],
  ],
  [
    'attribute-without-effect',
    [
      ['POST /pipelines/1/attributes', mandatory],
      ['POST /deals', renewal],
    ],
    [['POST /deals', renewal]],
  ],
]);
