import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec, type Spec } from '../../../scripts/spec/model.ts';
import type { Schema } from '../../../scripts/spec/schema.ts';
import {
  add,
  addValue,
  allowNull,
  deprecate,
  describeAgain,
  dropValue,
  extractSites,
  forbidNull,
  isPlain,
  limit,
  type Mutation,
  type MutationClass,
  ofNewField,
  operationSites,
  operations,
  query,
  release,
  remove,
  replySchemas,
  requestSchemas,
  require,
  retype,
  scale,
} from './spec-changes.ts';

const classes: MutationClass[] = [
  // Breaks.
  { name: 'a field of a request is removed', breaks: true, sites: requestSchemas(remove) },
  {
    name: 'a field of a request becomes required',
    breaks: true,
    sites: requestSchemas((schema, field) => isPlain(schema) && require(schema, field)),
  },
  { name: 'a field of a request gets another type', breaks: true, sites: requestSchemas(retype) },
  {
    name: 'a text of a request gets a limit',
    breaks: true,
    sites: requestSchemas(limit('string', 'maxLength', 20)),
  },
  {
    name: 'a text of a request gets a shortest length',
    breaks: true,
    sites: requestSchemas(limit('string', 'minLength', 2)),
  },
  {
    name: 'a text of a request gets a pattern',
    breaks: true,
    sites: requestSchemas(limit('string', 'pattern', '^[a-z ]+$')),
  },
  {
    name: 'a text of a request gets a format',
    breaks: true,
    sites: requestSchemas(limit('string', 'format', 'uri')),
  },
  {
    name: 'a number of a request gets a limit',
    breaks: true,
    sites: requestSchemas(limit('integer', 'maximum', 7)),
  },
  {
    name: 'a list of a request gets a limit',
    breaks: true,
    sites: requestSchemas(limit('array', 'maxItems', 200)),
  },
  { name: 'a limit of a request is lowered', breaks: true, sites: requestSchemas(scale(0.5)) },
  { name: 'a value of a request is removed', breaks: true, sites: requestSchemas(dropValue) },
  {
    name: 'a request needs a new field',
    breaks: true,
    sites: ofNewField(requestSchemas(add(true))),
  },
  { name: 'a request no longer takes null', breaks: true, sites: requestSchemas(forbidNull) },
  { name: 'a field of a reply is removed', breaks: true, sites: replySchemas(remove) },
  { name: 'a field of a reply becomes optional', breaks: true, sites: replySchemas(release) },
  { name: 'a field of a reply can be null', breaks: true, sites: replySchemas(allowNull) },
  { name: 'a field of a reply gets another type', breaks: true, sites: replySchemas(retype) },
  { name: 'a reply has a new value', breaks: true, sites: replySchemas(addValue) },
  {
    name: 'a query parameter is removed',
    breaks: true,
    sites: operations((operation) => {
      const [first] = query(operation);
      if (!first || operation['x-pagination']) return false;
      operation.parameters = operation.parameters?.filter((each) => each !== first) ?? [];
      return true;
    }),
  },
  {
    name: 'a query parameter becomes required',
    breaks: true,
    sites: operations((operation) => {
      const found = query(operation).find((each) => !each.required);
      if (!found || operation['x-pagination']) return false;
      found.required = true;
      return true;
    }),
  },
  {
    name: 'a call needs a new query parameter',
    breaks: true,
    sites: operations(
      (operation) => {
        operation.parameters = [
          ...(operation.parameters ?? []),
          { name: 'brand_new', in: 'query', required: true, schema: { type: 'string' } },
        ];
        return true;
      },
      ({ method }) => method === 'GET',
    ),
  },
  {
    name: 'a method is renamed',
    breaks: true,
    sites: operations((operation) => {
      if (typeof operation['x-sdk'] !== 'string') return false;
      operation['x-sdk'] += 'Anew';
      return true;
    }),
  },
  {
    name: 'an effect changes',
    breaks: true,
    sites: operations(
      (operation) => {
        operation['x-effect'] = operation['x-effect'] === 'read' ? 'write' : 'send';
        return true;
      },
      ({ operation }) => operation['x-effect'] !== 'send',
    ),
  },
  {
    name: 'paging is removed',
    breaks: true,
    sites: operations(
      (operation) => {
        const is = operation['x-pagination'] !== undefined;
        delete operation['x-pagination'];
        return is;
      },
      ({ body }) => !body,
    ),
  },
  {
    name: 'pages get smaller',
    breaks: true,
    sites: operations((operation) => {
      if (!operation['x-pagination']) return false;
      operation['x-pagination'].maximum = 10;
      return true;
    }),
  },
  {
    name: 'a rule is removed',
    breaks: true,
    sites: operations((operation) => {
      const count = operation['x-rules']?.length ?? 0;
      const used = new Set(Object.values(operation['x-errors'] ?? {}).map(({ rule }) => rule));
      const rest = operation['x-rules']?.filter(({ id }) => used.has(id)) ?? [];
      operation['x-rules'] = rest;
      return count > rest.length;
    }),
  },
  {
    name: 'a rule is added',
    breaks: true,
    sites: operations((operation) => {
      operation['x-rules'] = [...(operation['x-rules'] ?? []), { id: 'brand-new-rule', source: '1 §1', text: 'New.' }];
      return true;
    }),
  },
  {
    name: 'a number of a rule changes',
    breaks: true,
    sites: operations((operation) => {
      const values = operation['x-rules']?.find((rule) => rule.values)?.values;
      const [name] = Object.keys(values ?? {});
      if (!values || !name) return false;
      values[name] = 7;
      return true;
    }),
  },
  {
    name: 'an error code is removed',
    breaks: true,
    sites: operations((operation) => {
      const [code] = Object.keys(operation['x-errors'] ?? {});
      if (!code) return false;
      delete operation['x-errors']?.[code];
      return true;
    }),
  },
  {
    name: 'a call no longer only reads',
    breaks: true,
    sites: operations((operation) => {
      const is = operation['x-effect'] === 'read';
      operation['x-effect'] = 'write';
      return is;
    }),
  },
  {
    name: 'another call shows a change',
    breaks: false,
    sites: operations((operation) => {
      const is = operation['x-shown-by'] !== undefined;
      delete operation['x-shown-by'];
      return is;
    }),
  },
  {
    name: 'a call has no test mode',
    breaks: true,
    sites: operations((operation) => {
      const is = operation['x-test-mode'] !== undefined;
      delete operation['x-test-mode'];
      return is;
    }),
  },
  {
    name: 'a group of people is no longer counted',
    breaks: true,
    sites: operations((operation) => {
      const group = operation['x-people']?.find((entry) => typeof entry === 'object' && entry.count !== 'none');
      if (typeof group !== 'object') return false;
      group.count = 'none';
      return true;
    }),
  },
  {
    name: 'a call can no longer be undone',
    breaks: true,
    sites: operations((operation) => {
      const is = operation['x-undo'] !== undefined && operation['x-undo'] !== 'none';
      operation['x-undo'] = 'none';
      return is;
    }),
  },
  {
    name: 'an operation has another ID',
    breaks: true,
    sites: operations((operation) => {
      operation.operationId += 'Anew';
      return true;
    }),
  },
  {
    name: 'a body becomes required',
    breaks: true,
    sites: operations((operation) => {
      if (!operation.requestBody || operation.requestBody.required) return false;
      operation.requestBody.required = true;
      return true;
    }),
  },
  {
    name: 'a body is removed',
    breaks: true,
    sites: operations(
      (operation) => {
        const is = operation.requestBody !== undefined;
        delete operation.requestBody;
        return is;
      },
      ({ operation }) => typeof operation['x-sdk'] === 'string' && operation['x-pagination'] === undefined,
    ),
  },
  {
    name: 'a list of people to leave out is removed',
    breaks: true,
    sites: operations((operation) => {
      if (!operation['x-opt-outs']) return false;
      delete operation['x-opt-outs'];
      return true;
    }),
  },
  {
    name: 'a rate limit is added',
    breaks: true,
    sites: operations((operation) => {
      if (operation['x-rate-limit']) return false;
      operation['x-rate-limit'] = { requests: 1, seconds: 60, per: 'account' };
      return true;
    }),
  },
  {
    name: 'the payload is under another key',
    breaks: true,
    sites: operations((operation) => {
      const success = operation.responses['200'];
      const properties = success?.content?.['application/json']?.schema.properties;
      if (!success || !properties?.data || operation['x-pagination']) return false;
      success['x-envelope'] = 'none';
      properties.outcome = properties.data;
      delete properties.data;
      return true;
    }),
  },

  // Wire: breaks.
  {
    name: 'an operation is removed',
    breaks: true,
    sites: operationSites((document, { path, method }) => {
      delete document.paths[path]?.[method.toLowerCase()];
    }),
  },
  {
    name: 'an operation moves to another path',
    breaks: true,
    sites: operationSites((document, { path, method }) => {
      const key = method.toLowerCase();
      const { [key]: moved, ...rest } = document.paths[path] ?? {};
      document.paths[path] = rest;
      if (moved)
        document.paths[`/moved${path}`] = { ...(rest.parameters && { parameters: rest.parameters }), [key]: moved };
    }),
  },
  {
    name: 'a status is removed',
    breaks: true,
    sites: operations((operation) => {
      if (Object.keys(operation.responses).length < 2) return false;
      delete operation.responses.default;
      return true;
    }),
  },
  {
    name: 'a body has another content type',
    breaks: true,
    sites: operations((operation) => {
      const content = operation.requestBody?.content;
      const json = content?.['application/json'];
      if (!content || !json) return false;
      delete content['application/json'];
      content['application/xml'] = json;
      return true;
    }),
  },
  {
    name: 'a reply has another content type',
    breaks: true,
    sites: operations((operation) => {
      const content = operation.responses['200']?.content;
      const json = content?.['application/json'];
      if (!content || !json) return false;
      delete content['application/json'];
      content['application/xml'] = json;
      return true;
    }),
  },
  {
    name: 'a call needs another credential',
    breaks: true,
    sites: operations((operation) => {
      if (operation.security) return false;
      operation.security = [{ otherAuth: [] }];
      return true;
    }),
  },

  // Harmless.
  { name: 'a description changes', breaks: false, sites: requestSchemas(describeAgain) },
  { name: 'a description of a reply changes', breaks: false, sites: replySchemas(describeAgain) },
  {
    name: 'a summary changes',
    breaks: false,
    sites: operations((operation) => {
      operation.summary = 'The same in other words';
      return true;
    }),
  },
  {
    name: 'a source changes',
    breaks: false,
    sites: operations((operation) => {
      operation['x-source'] = '1 §1';
      return true;
    }),
  },
  {
    name: 'an example changes',
    breaks: false,
    sites: operations((operation) => {
      const json = operation.requestBody?.content['application/json'];
      if (!json) return false;
      delete json.examples;
      return true;
    }),
  },
  {
    name: 'a tag changes',
    breaks: false,
    sites: operations((operation) => {
      operation.tags = ['Elsewhere'];
      return true;
    }),
  },
  {
    name: 'a request has a new optional field',
    breaks: false,
    sites: ofNewField(requestSchemas(add(false))),
  },
  {
    name: 'a reply has a new field',
    breaks: false,
    sites: ofNewField(replySchemas(add(true))),
  },
  { name: 'a request has a new value', breaks: false, sites: requestSchemas(addValue) },
  { name: 'a limit of a request is raised', breaks: false, sites: requestSchemas(scale(2)) },
  {
    name: 'a field of a request becomes optional',
    breaks: false,
    sites: requestSchemas((schema, field) => isPlain(schema) && release(schema, field)),
  },
  { name: 'a request takes null', breaks: false, sites: requestSchemas(allowNull) },
  { name: 'a field of a reply becomes required', breaks: false, sites: replySchemas(require) },
  { name: 'a field of a reply is never null', breaks: false, sites: replySchemas(forbidNull) },
  { name: 'a value of a reply is removed', breaks: false, sites: replySchemas(dropValue) },
  {
    name: 'a text of a reply gets a limit',
    breaks: false,
    sites: replySchemas(limit('string', 'maxLength', 500)),
  },
  { name: 'a field of a request is deprecated', breaks: false, sites: requestSchemas(deprecate) },
  { name: 'a field of a reply is deprecated', breaks: false, sites: replySchemas(deprecate) },
  {
    name: 'an operation is deprecated',
    breaks: false,
    sites: operations((operation) => {
      const is = operation.deprecated !== true;
      operation.deprecated = true;
      return is;
    }),
  },
  {
    name: 'a new optional query parameter',
    breaks: false,
    sites: operations((operation) => {
      operation.parameters = [
        ...(operation.parameters ?? []),
        { name: 'brand_new', in: 'query', schema: { type: 'string' } },
      ];
      return true;
    }),
  },
  {
    name: 'an error code is added',
    breaks: false,
    sites: operations((operation) => {
      const rule = operation['x-rules']?.[0];
      if (!rule) return false;
      operation['x-errors'] = {
        ...operation['x-errors'],
        9999: { meaning: 'New.', rule: rule.id, advice: 'Nothing.' },
      };
      return true;
    }),
  },
  {
    name: 'the order of fields changes',
    breaks: false,
    sites: requestSchemas((schema, field) => {
      const entries = Object.entries(schema.properties ?? {});
      if (entries.length < 2 || entries[0]?.[0] !== field) return false;
      schema.properties = Object.fromEntries(entries.reverse());
      return true;
    }),
  },
  { name: 'an inline schema becomes a component', breaks: false, sites: extractSites },
  {
    name: 'a rule tells a number',
    breaks: false,
    sites: operations((operation) => {
      const rule = operation['x-rules']?.[0];
      if (!rule) return false;
      rule.values = { ...rule.values, days: 3 };
      return true;
    }),
  },
  {
    name: 'an object inherits its fields',
    breaks: false,
    sites: replySchemas((schema, field) => {
      if (!isPlain(schema) || schema.allOf || Object.keys(schema.properties ?? {})[0] !== field) return false;
      const { properties = {}, required = [], description } = schema;
      for (const key of Object.keys(schema)) if (!key.startsWith('x-')) Reflect.deleteProperty(schema, key);
      const part = (names: string[]): Schema => ({
        type: 'object',
        additionalProperties: true,
        required: required.filter((name) => names.includes(name)),
        properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
      });
      const [first = '', ...others] = Object.keys(properties);
      Object.assign(schema, { ...(description && { description }), allOf: [part([first]), part(others)] });
      return true;
    }),
  },
  {
    name: 'pages get larger',
    breaks: false,
    sites: operations((operation) => {
      const maximum = operation['x-pagination']?.maximum;
      if (!operation['x-pagination'] || !maximum) return false;
      operation['x-pagination'].maximum = maximum * 2;
      return true;
    }),
  },
  {
    name: 'a body becomes optional',
    breaks: false,
    sites: operations((operation) => {
      if (!operation.requestBody?.required) return false;
      operation.requestBody.required = false;
      return true;
    }),
  },

  // Wire: harmless.
  {
    name: 'a status is documented',
    breaks: false,
    sites: operations((operation) => {
      if (operation.responses['409']) return false;
      operation.responses['409'] = { description: 'A conflict.' };
      return true;
    }),
  },
  {
    name: 'an operation is added',
    breaks: false,
    sites: operationSites((document, { path, method, operation }) => {
      document.paths[`/brand-new${path}`] = {
        ...(document.paths[path]?.parameters && { parameters: document.paths[path].parameters }),
        [method.toLowerCase()]: {
          ...operation,
          operationId: `${operation.operationId}BrandNew`,
          'x-sdk': 'brandNew.call',
        },
      };
    }),
  },
];

/** The unchanged specs. */
export const originals = specNames.map((name) => loadSpec(name));

/** The classes, each with up to `count` mutations at different places in all specs. */
export function drawMutations(count: number): (Omit<MutationClass, 'sites'> & { mutations: Mutation[] })[] {
  return classes.map(({ sites, ...rest }) => {
    const all = originals.flatMap((spec) => sites(spec).map((site) => ({ spec: spec.name, name: rest.name, ...site })));
    const step = Math.max(1, Math.floor(all.length / count));
    return { ...rest, mutations: all.filter((_, index) => index % step === 0).slice(0, count) };
  });
}

/** A changed copy of a spec. */
export function mutate({ spec: name, apply }: Mutation): Spec {
  const original = originals.find((spec) => spec.name === name);
  if (!original) throw new Error(`There is no spec ${name}`);
  const document = structuredClone(original.document);
  apply(document);
  return { ...original, document };
}
