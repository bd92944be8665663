/** Choices about pipelines, their steps, attributes and fail reasons, by id. */
export const pipelineChoices = {
  'step-with-deals': 'Deleting a step that contains deals gets status 422.',
  'step-description-dropped': 'On the free tariff, the description of a new step is null, whatever the request sends.',
  'new-pipeline-fail-reasons':
    'A new pipeline has one enabled default fail reason. Its name is the example name in the documents.',
  'default-fail-reason':
    'The default fail reason of a pipeline is the first enabled platform fail reason in display order, or else the first enabled custom one.',
  'new-fail-reason': 'A new fail reason is enabled and has no display order.',
  'fail-reason-deleted':
    'Any fail reason can be deleted, including a default one. Deals that failed with it keep its ID.',
} as const;
