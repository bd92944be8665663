import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { effectOf } from '../../../scripts/spec/effect.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { sdkOf } from '../../../scripts/spec/parameters.ts';
import {
  checkParams,
  fieldsOf,
  findMethod,
  lookupMethod,
  methods,
  parametersSchema,
  products,
} from '../../../src/cli/catalogue/index.ts';
import { createClient } from '../../../src/client/client.ts';

const client = createClient({ baseUrl: 'https://api.example.com', auth: null });

/** Dotted names of a client's methods, such as `crm.contacts.list`. Skips the path functions (`GET`). */
function placesOf(node: object, place: string): string[] {
  return Object.entries(node).flatMap(([name, member]) => {
    if (typeof member === 'function') return /^[A-Z]+$/.test(name) ? [] : [`${place}.${name}`];
    return placesOf(member, `${place}.${name}`);
  });
}

describe('the catalogue', () => {
  it('has exactly the methods of the client', () => {
    const places = products.flatMap((product) => placesOf(client[product], product));
    expect(methods.map(({ name }) => name).sort()).toEqual(places.sort());
  });

  it('describes a field by its own text, then by that of its type', () => {
    const method = findMethod('crm.deals.create');
    const described = (method ? fieldsOf(method) : []).map(({ name, schema }) => [name, schema.description]);
    expect(Object.fromEntries(described)).toMatchObject({
      currency: 'Currency code. Examples: EUR, USD, UAH.',
      name: 'Name of the deal.',
    });
  });

  it('has the effect of each call that the spec states', () => {
    const stated = products.flatMap((product) =>
      listOperations(loadSpec(product)).map((operation) => [
        `${product}.${sdkOf(operation).method}`,
        effectOf(operation.operation).kind,
      ]),
    );
    expect(Object.fromEntries(methods.map(({ name, effect }) => [name, effect]))).toEqual(Object.fromEntries(stated));
  });

  it('has a JSON Schema for the parameters of every method, which its example matches', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    for (const method of methods) {
      const validate = ajv.compile(parametersSchema(method));
      validate(method.example);
      expect([method.name, validate.errors]).toEqual([method.name, null]);
      expect(checkParams(method, method.example)).toEqual([]);
    }
  });

  it('rejects what the schema forbids', () => {
    const method = findMethod('crm.contacts.list');
    const validate = new Ajv2020({ validateFormats: false }).compile(method ? parametersSchema(method) : true);
    expect([validate({ limit: 100 }), validate({ limit: 101 }), validate({ lastname: 'Kowal' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('omits spec fields that only generators need', () => {
    expect(JSON.stringify(methods)).not.toMatch(/"x-(?!inferred-limits")|#\/components/);
    expect(JSON.stringify(methods.map(parametersSchema))).not.toMatch(/"x-/);
  });

  it("includes the spec's rules, codes and quota of an operation", () => {
    const rules = loadSpec('messaging').openapi.paths['/push/tasks']?.post;
    const method = findMethod('messaging.push.campaigns.create');
    const stated = rules && !Array.isArray(rules) ? (rules['x-rules'] ?? []) : [];
    expect(method?.rules?.map(({ id }) => id)).toEqual(stated.map(({ id }) => id));
    expect(method?.quota).toEqual({ requests: 1, seconds: 900, per: 'website' });
    expect(Object.keys(findMethod('messaging.campaigns.create')?.errors ?? {})).toContain('3084');
  });

  it("names a method to check the outcome of each changing call, except the token's", () => {
    const changing = methods.filter(({ effect }) => effect !== 'read');
    expect(changing.filter((method) => lookupMethod(method)?.effect !== 'read').map(({ name }) => name)).toEqual([
      'crm.oauth.createToken',
    ]);
    const looked = ['crm.deals.create', 'crm.deals.update', 'crm.tags.assign', 'email.messages.send'];
    expect(looked.map((name) => lookupMethod(findMethod(name) ?? missing(name))?.name)).toEqual([
      'crm.deals.list',
      'crm.deals.get',
      'crm.contacts.list',
      'email.messages.list',
    ]);
  });
});

function missing(name: string): never {
  throw new Error(`There is no method ${name}`);
}
