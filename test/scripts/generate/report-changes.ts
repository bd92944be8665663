import { expect } from 'vitest';
import { listOperations, resolve, type Spec } from '../../../scripts/spec/model.ts';
import type { OperationObject, Schema } from '../../../scripts/spec/schema.ts';

/** A change of a spec, with the expected changes in the report. */
export interface Mutation {
  title: string;
  spec: Spec['name'];
  change(spec: Spec): void;
  /** Matches the subject of each changed line. */
  about: RegExp;
  removed: number;
  added: number;
}

export function operation(spec: Spec, operationId: string): OperationObject {
  const found = listOperations(spec).find((candidate) => candidate.operationId === operationId);
  return found?.operation ?? expect.fail(`There is no operation ${operationId}`);
}

function schema({ document }: Spec, name: string): Schema {
  return document.components.schemas[name] ?? expect.fail(`There is no schema ${name}`);
}

export function property(spec: Spec, name: string, key: string): Schema {
  return schema(spec, name).properties?.[key] ?? expect.fail(`${name} has no ${key}`);
}

export const mutations: Mutation[] = [
  {
    title: 'an operation is removed',
    spec: 'crm',
    change: ({ document }) => delete document.paths['/boards/{boardId}'],
    about: /^operation getBoard\b/,
    removed: 10,
    added: 0,
  },
  {
    title: 'an operation moves to another path',
    spec: 'crm',
    change: ({ document }) => {
      const { '/users': users = {}, ...others } = document.paths;
      document.paths = { ...others, '/members': users };
    },
    about: /^operation listUsers: GET /,
    removed: 1,
    added: 1,
  },
  {
    title: 'a limit is changed',
    spec: 'crm',
    change: (spec) => {
      const name = property(spec, 'DealCreate', 'name');
      name.maxLength = (name.maxLength ?? 0) + 1;
    },
    about: /^schema DealCreate\.name: string maxLength=/,
    removed: 1,
    added: 1,
  },
  {
    title: 'an enum value is dropped',
    spec: 'crm',
    change: (spec) => schema(spec, 'DealStatus').enum?.pop(),
    about: /^schema DealStatus (enum|meaning of) /,
    removed: 2,
    added: 0,
  },
  {
    title: 'a required mark is taken away',
    spec: 'crm',
    change: (spec) => schema(spec, 'DealUpdate').required?.pop(),
    about: /^schema DealUpdate\.\w+: /,
    removed: 1,
    added: 1,
  },
  {
    title: 'a status is changed',
    spec: 'crm',
    change: (spec) => {
      const { responses } = operation(spec, 'deleteDeal');
      const { '204': gone, ...others } = responses;
      if (gone) operation(spec, 'deleteDeal').responses = { '200': gone, ...others };
    },
    about: /^operation deleteDeal status 20[04]$/,
    removed: 1,
    added: 1,
  },
  {
    title: 'a field is removed',
    spec: 'email',
    change: (spec) => delete schema(spec, 'EmailToSend').properties?.subject,
    about: /^schema EmailToSend\.subject: /,
    removed: 1,
    added: 0,
  },
  {
    title: 'a field may be null',
    spec: 'email',
    change: (spec) => {
      property(spec, 'EmailAddress', 'name').type = ['string', 'null'];
    },
    about: /^schema EmailAddress\.name: string/,
    removed: 1,
    added: 1,
  },
  {
    title: 'a parameter is added',
    spec: 'crm',
    change: (spec) => {
      operation(spec, 'listUsers').parameters = [{ name: 'role', in: 'query', schema: { type: 'string' } }];
    },
    about: /^operation listUsers query\.role: string$/,
    removed: 0,
    added: 1,
  },
  {
    title: 'the payload leaves its envelope',
    spec: 'crm',
    change: (spec) => {
      const { document } = spec;
      const media = resolve(document, operation(spec, 'getDeal').responses['200'] ?? expect.fail()).content;
      const body = media?.['application/json'] ?? expect.fail();
      body.schema = body.schema.properties?.data ?? expect.fail();
    },
    about: /^operation getDeal (payload|reply 200)/,
    removed: 3,
    added: 2,
  },
  {
    title: 'an operation comes from one more section',
    spec: 'crm',
    change: (spec) => Object.assign(operation(spec, 'getDeal'), { 'x-source': '1 §2, §4, §9' }),
    about: /^operation getDeal source 1 §/,
    removed: 1,
    added: 1,
  },
  {
    title: 'an error code is dropped',
    spec: 'messaging',
    change: (spec) => delete operation(spec, 'createCampaign')['x-errors']?.['3084'],
    about: /^operation createCampaign (error 3084 -> messaging-template-approved$|meaning of error 3084: )/,
    removed: 2,
    added: 0,
  },
  {
    title: 'a quota is changed',
    spec: 'email',
    change: (spec) => {
      const limit = operation(spec, 'requestEmailResubscription')['x-rate-limit'] ?? expect.fail();
      limit.requests += 1;
    },
    about: /^operation requestEmailResubscription rate limit /,
    removed: 1,
    added: 1,
  },
];
