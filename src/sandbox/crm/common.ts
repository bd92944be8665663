import * as z from 'zod';
import type { Resource } from '../data/resource.ts';
import { Settings } from '../data/settings.ts';

export interface CrmCommonTables {
  settings: Settings<CrmSettings>;
}

export interface CrmSettings {
  /** Next ID to assign. All CRM resources share this counter. */
  nextId: number;
}

const zCrmSettings = z.strictObject({ nextId: z.int().min(1) }).partial();

/** First ID that the sandbox assigns. It is higher than all IDs of the example story. */
const firstNewId = 10_001;

/** Choices that several resources share. */
const choices = {
  'unknown-reference': 'A request whose body contains the ID of a nonexistent record returns status 422.',
  'incomplete-entry': 'A request returns status 422 if an item in a list lacks a field that the item needs.',
  'omitted-fields-kept': 'A field that an update omits keeps its stored value.',
  'facts-without-field-names':
    'Responses omit data whose field names are not documented: the creator and the steps of a pipeline, the author and status of a note, the notes of a detailed deal, and the title of an attribute value.',
  'search-request-empty': '`searchRequest` in a list response is an empty string.',
  'listed-by-order':
    'Pipelines, steps, attributes and fail reasons are sorted by display order. Items without a display order come last, oldest first.',
  'listed-by-age':
    'If no order is documented, the records in a list are in the order in which they were created or linked.',
  'new-attribute': 'A new attribute is active, is not mandatory and has no display order.',
  'attribute-change-keeps-values': 'Changing the type or the options of an attribute does not change stored values.',
  'attribute-without-effect':
    'A deal or contact may lack a value for a mandatory attribute. Inactive and hidden attributes also accept values.',
  'numeric-text':
    'The value of a number attribute consists of digits, with an optional sign and optional decimals after a dot.',
  'link-url': 'The value of a link attribute is an absolute URL with any scheme, as defined by the URL standard.',
} as const;

/**
 * Settings and choices that the CRM resources share.
 *
 * @internal
 */
export const crmCommon: Resource<CrmCommonTables, typeof choices> = {
  tables: (ledger) => ({
    settings: new Settings(ledger, 'crm.settings', { defaults: { nextId: 1 }, schema: zCrmSettings }),
  }),

  seed({ settings }) {
    settings.set('nextId', firstNewId);
  },

  choices,
};
