import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { sdkOf } from '../../../scripts/spec/parameters.ts';
import {
  checkParams,
  fieldsOf,
  findMethod,
  lookWith,
  methods,
  parametersSchema,
  products,
} from '../../../src/cli/catalogue/index.ts';
import { createClient } from '../../../src/client/client.ts';

const client = createClient({ baseUrl: 'https://api.example.com', auth: null });

/** Places of the functions of a client: `crm.contacts.list`. The functions by path are in capital letters. */
function placesOf(node: object, place: string): string[] {
  return Object.entries(node).flatMap(([name, member]) => {
    if (typeof member === 'function') return /^[A-Z]+$/.test(name) ? [] : [`${place}.${name}`];
    return placesOf(member, `${place}.${name}`);
  });
}

describe('the catalogue', () => {
  it('has every method of the client, and no other', () => {
    const places = products.flatMap((product) => placesOf(client[product], product));
    expect(methods.map(({ name }) => name).sort()).toEqual(places.sort());
  });

  it('describes a field in its own words, then with the details of its type', () => {
    const method = findMethod('crm.deals.create');
    const described = (method ? fieldsOf(method) : []).map(({ name, schema }) => [name, schema.description]);
    expect(Object.fromEntries(described)).toMatchObject({
      currency: 'Currency code. Examples: EUR, USD, UAH.',
      name: 'Name of the deal.',
    });
  });

  it('says what each call does, as the specs state it', () => {
    const stated = products.flatMap((product) =>
      listOperations(loadSpec(product)).map((operation) => [
        `${product}.${sdkOf(operation).method}`,
        operation.operation['x-effect'],
      ]),
    );
    expect(Object.fromEntries(methods.map(({ name, effect }) => [name, effect]))).toEqual(Object.fromEntries(stated));
  });

  it('has a JSON Schema of the parameters of every method, which its example fits', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    for (const method of methods) {
      const validate = ajv.compile(parametersSchema(method));
      validate(method.example);
      expect([method.name, validate.errors]).toEqual([method.name, null]);
      expect(checkParams(method, method.example)).toEqual([]);
    }
  });

  it('refuses what the schema refuses', () => {
    const method = findMethod('crm.contacts.list');
    const validate = new Ajv2020({ validateFormats: false }).compile(method ? parametersSchema(method) : true);
    expect([validate({ limit: 100 }), validate({ limit: 101 }), validate({ lastname: 'Kowal' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('has no field of the spec that only generators need', () => {
    expect(JSON.stringify(methods)).not.toMatch(/"x-(?!inferred-limits")|#\/components/);
    expect(JSON.stringify(methods.map(parametersSchema))).not.toMatch(/"x-/);
  });

  it('contains the rules, codes and quota of an operation in the words of the spec', () => {
    const rules = loadSpec('messaging').document.paths['/push/tasks']?.post;
    const method = findMethod('messaging.push.campaigns.create');
    const stated = rules && !Array.isArray(rules) ? (rules['x-rules'] ?? []) : [];
    expect(method?.rules?.map(({ id }) => id)).toEqual(stated.map(({ id }) => id));
    expect(method?.quota).toEqual({ requests: 1, seconds: 900, per: 'website' });
    expect(Object.keys(findMethod('messaging.campaigns.create')?.errors ?? {})).toContain('3084');
  });

  it('names a reading method for each call that may have to be looked for, except the token', () => {
    const changing = methods.filter(({ effect }) => effect !== 'read');
    expect(changing.filter((method) => lookWith(method)?.effect !== 'read').map(({ name }) => name)).toEqual([
      'crm.oauth.createToken',
    ]);
    const looked = ['crm.deals.create', 'crm.deals.update', 'crm.tags.assign', 'email.messages.send'];
    expect(looked.map((name) => lookWith(findMethod(name) ?? missing(name))?.name)).toEqual([
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
