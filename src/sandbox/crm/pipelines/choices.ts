/** Choices about pipelines, their steps, attributes and fail reasons, by id. */
export const pipelineChoices = {
  'step-with-deals': 'A step in which deals stand cannot be deleted; the answer is 422.',
  'step-description-dropped':
    'A step that is created on the free tariff takes null as its description, whatever is sent.',
  'new-pipeline-fail-reasons':
    'A new pipeline has one default fail reason, with the name that the documents give as an example, which is enabled.',
  'default-fail-reason':
    "The default fail reason of a pipeline is its first enabled one in display order among the platform's, else among the custom ones.",
  'new-fail-reason': 'A new fail reason is enabled and has no display order.',
  'fail-reason-deleted': 'Every fail reason can be deleted, a default one too; deals that failed for it keep its ID.',
} as const;
