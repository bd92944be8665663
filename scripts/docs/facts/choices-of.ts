import type { Resource } from '../../../src/sandbox/data/resource.ts';
import { endpoints } from '../../../src/sandbox/http/handled-operations.ts';
import { handlersByResource } from '../../../src/sandbox/products/handlers.ts';
import { products } from '../../../src/sandbox/products/products.ts';
import { type AnyChoice, choices } from '../../../src/sandbox/rules/choices.ts';

type Choice = [id: string, text: string];

const resourcesOf: {
  readonly [product: string]: { resources: { readonly [name: string]: Pick<Resource, 'choices'> } };
} = products;

/** The sandbox's choices that can affect its responses to an operation. */
export function choicesOfOperation(operationId: string): Choice[] {
  const choicesOfResource = Object.entries(handlersByResource).flatMap(([product, groups]) => {
    const [name = ''] = Object.entries(groups).find(([, handlers]) => Object.hasOwn(handlers, operationId)) ?? [];
    return Object.keys(resourcesOf[product]?.resources[name]?.choices ?? {});
  });
  const { always = [], list } = endpoints.find(({ route }) => route.id === operationId) ?? {};
  const ofResponse = [...always, list?.order, list?.pageSize, ...(list?.entry ?? [])].filter((id) => id !== undefined);
  const ids = new Set<string>([...ofResponse, ...choicesOfResource]);
  return Object.entries(choices).filter(([id]) => ids.has(id));
}

/** The sandbox's choices about each gap of `spec/gaps.yaml`. */
const gapChoices: Readonly<Record<string, readonly AnyChoice[]>> = {
  credentials: ['credential-rejected', 'any-credential'],
  errors: ['request-shape', 'malformed-json', 'unknown-record', 'messaging-code-response', 'email-rejection'],
  'rate-limits': ['push-quota-response', 'email-quota-response'],
  'page-order': ['listed-by-order', 'listed-by-age', 'messaging-list-order', 'email-list-order'],
  'page-size': ['contact-page-size', 'page-size'],
  'deal-filter': ['deal-filter-ignored', 'deal-filter-paging'],
  'partial-updates': ['omitted-fields-kept', 'deal-order-emptied'],
  'time-zones': ['utc-dates', 'dates-format'],
  records: ['facts-without-field-names', 'own-fields', 'contact-details-as-records', 'payment-fields'],
  'campaign-statuses': ['messaging-campaign-status', 'messaging-delivery', 'push-progress'],
  'phone-numbers': ['contact-filter-phone', 'messaging-phone-range'],
  'partial-success': ['contact-attribute-batch', 'incomplete-entry', 'unknown-reference'],
  deletions: ['step-with-deals', 'fail-reason-deleted', 'values-follow-pipeline', 'contact-attribute-deleted'],
  attachments: ['email-message-size'],
  events: [],
  changes: [],
};

/** @throws if the gap has no entry */
export function choicesOfGap(id: string): Choice[] {
  const ids = Object.hasOwn(gapChoices, id) ? gapChoices[id] : undefined;
  if (!ids) throw new Error(`scripts/docs/facts/choices-of.ts: name the choices of the sandbox about the gap ${id}`);
  return ids.map((choice) => [choice, choices[choice]]);
}
