/**
 * Calls by path that must not compile, each beside one that does. `tsc` is the test, because an unused `@ts-expect-error` is an error.
 */
import type { Client } from '../../../src/client/index.ts';

export function paths(api: Client): void {
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  // @ts-expect-error a path that does not exist
  api.crm.GET('/deal/{dealId}', { params: { path: { dealId: 501 } } });
  // @ts-expect-error a path with a value filled in
  api.crm.GET('/deals/501');
  // @ts-expect-error a path of another method
  api.crm.GET('/deals');
  // @ts-expect-error a path of another spec
  api.email.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  // @ts-expect-error a method that the spec does not use
  api.crm.PATCH('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  // @ts-expect-error a method in lower case
  api.crm.get('/deals/{dealId}', { params: { path: { dealId: 501 } } });
}

export function pathParameters(api: Client): void {
  api.crm.DELETE('/deals/{dealId}/contacts/{contactId}', { params: { path: { dealId: 501, contactId: 3001 } } });
  // @ts-expect-error all parameters missing
  api.crm.GET('/deals/{dealId}');
  // @ts-expect-error one parameter missing
  api.crm.DELETE('/deals/{dealId}/contacts/{contactId}', { params: { path: { dealId: 501 } } });
  // @ts-expect-error a text for an integer
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: '501' } } });
  // @ts-expect-error undefined for an integer
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: undefined } } });
  // @ts-expect-error a number for a text
  api.email.GET('/smtp/emails/{id}', { params: { path: { id: 1 } } });
  // @ts-expect-error a misspelt parameter
  api.crm.GET('/deals/{dealId}', { params: { path: { dealID: 501 } } });
  // @ts-expect-error a parameter too many
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501, contactId: 3001 } } });
}

export function queryParameters(api: Client): void {
  api.crm.GET('/contact-tags');
  api.crm.GET('/contact-tags', { params: { query: { name: 'VIP' } } });
  // @ts-expect-error a misspelt optional parameter
  api.crm.GET('/contact-tags', { params: { query: { nmae: 'VIP' } } });
  // @ts-expect-error a misspelt parameter beside a right one
  api.crm.GET('/contact-tags', { params: { query: { name: 'VIP', serach: 'V' } } });
  // @ts-expect-error a number for a text
  api.crm.GET('/contact-tags', { params: { query: { name: 15 } } });
  // @ts-expect-error a text for an integer
  api.messaging.GET('/push/tasks', { params: { query: { website_id: '42' } } });
  // @ts-expect-error a query, although the operation has none
  api.crm.GET('/users', { params: { query: { name: 'Ann' } } });
  // @ts-expect-error a query instead of a path
  api.crm.GET('/deals/{dealId}', { params: { query: { dealId: 501 } } });
}

export function bodies(api: Client): void {
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11 } });
  api.crm.POST('/contacts/get-list');
  // @ts-expect-error no body
  api.crm.POST('/deals');
  // @ts-expect-error a required field missing
  api.crm.POST('/deals', { body: { pipelineId: 1 } });
  // @ts-expect-error a misspelt required field
  api.crm.POST('/deals', { body: { pipelineID: 1, stepId: 11 } });
  // @ts-expect-error a misspelt optional field
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, pirce: 100 } });
  // @ts-expect-error a misspelt field, although all are optional
  api.crm.POST('/contacts/get-list', { body: { limmit: 10 } });
  // @ts-expect-error a misspelt field inside a list
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, attributes: [{ attributeID: 210 }] } });
  // @ts-expect-error a text for a number
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, price: '100' } });
  // @ts-expect-error null for a field that is not nullable
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, name: null } });
  // @ts-expect-error one value for a list
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, contact: 3001 } });
  // @ts-expect-error a body, although the operation has none
  api.crm.GET('/users', { body: {} });
}

export function enums(api: Client): void {
  const step = { params: { path: { pipelineId: 1, stepId: 11 } } };
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { addEndHours: 6, notifyIn: '0' } });
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { addEndHours: null } });
  // @ts-expect-error the gap of an enum
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { addEndHours: 7 } });
  // @ts-expect-error a number for a word of an enum
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { notifyIn: 0 } });
  // @ts-expect-error a word that the enum does not have
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { notifyIn: '4h' } });
  // @ts-expect-error a number typed as any number
  api.crm.PUT('/pipelines/{pipelineId}/steps/{stepId}', { ...step, body: { addEndHours: Number('6') } });
}

export function options(api: Client, signal: AbortSignal): void {
  api.crm.GET('/users', { signal, timeout: 1_000, headers: { 'x-trace': '1' } });
  // @ts-expect-error a misspelt option, alone
  api.crm.GET('/users', { timeOut: 1_000 });
  // @ts-expect-error a misspelt option beside arguments
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } }, singal: signal });
  // @ts-expect-error a duration as text
  api.crm.GET('/users', { timeout: '1s' });
  // @ts-expect-error options in a place of their own
  api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } }, { timeout: 1_000 });
}
