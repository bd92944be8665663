import { describe, expect, it } from 'vitest';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';
import { expectNoSpec, firstBody, urlOf } from '../support/spec-requests.ts';
import { useMock } from './server.ts';

const call = useMock();
const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const withBody = operations.filter(({ body }) => body);
const withNumberInPath = operations.filter((operation) => numberInPath(operation));

function numberInPath({ parameters }: SpecOperation): string | undefined {
  return parameters.find((parameter) => parameter.in === 'path' && parameter.schema.type === 'integer')?.name;
}

async function expectStatus(response: Response, status: string): Promise<void> {
  expect([String(response.status), await response.clone().text()]).toEqual([status, expect.any(String)]);
}

/** One operation of each kind: Prism reads preferences in the same way for all of a kind. */
const kinds = [
  ...new Map(
    operations.map((operation) => {
      const { method, body, success } = operation;
      return [[method, body !== undefined, success.status, Object.keys(success.examples).length > 0].join(), operation];
    }),
  ).values(),
];

describe('every operation', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s responds with its documented success to each of its examples',
    async (_id, operation) => {
      const { body, success, method } = operation;
      const requests = body ? Object.values(body.examples).map(({ value }) => ({ json: value })) : [{}];
      const [documented] = Object.values(success.examples);
      for (const request of requests) {
        const response = await call(method, urlOf(operation), request);
        const text = await response.text();
        expect([response.status, text]).toEqual([Number(success.status), text]);
        if (documented) expect(JSON.parse(text)).toEqual(documented.value);
        else expect(text).toBe('');
      }
    },
  );

  it('never responds with parts of the spec, even in dynamic responses', async () => {
    for (const operation of operations) {
      const wishes = [
        'dynamic=true',
        'code=500',
        ...(kinds.includes(operation) ? ['dynamic=true, seed=7', 'code=404'] : []),
      ];
      for (const prefer of wishes) {
        const response = await call(operation.method, urlOf(operation), {
          ...firstBody(operation),
          headers: { prefer },
        });
        expectNoSpec(operation.operationId, await response.text());
      }
    }
  });

  it('responds to an unmet preference with 400, and lists the possible values', async () => {
    const wishes = [
      'example=none',
      'code=200, example=none',
      'code=x',
      'code=abc',
      'code=700',
      'dynamic=maybe',
      'dynamic=true, example=none',
    ];
    expect(kinds.length).toBeGreaterThan(5);
    for (const operation of kinds) {
      for (const prefer of wishes) {
        const response = await call(operation.method, urlOf(operation), {
          ...firstBody(operation),
          headers: { prefer },
        });
        const { detail } = await response.json();
        expect([operation.operationId, prefer, response.status]).toEqual([operation.operationId, prefer, 400]);
        expect(detail).toContain(`Prefer: ${prefer}`);
      }
    }
  });

  it('rejects a body that is not JSON with 415, even if a body is optional', async () => {
    for (const operation of operations.filter(({ operation: { requestBody } }) => requestBody)) {
      const response = await call(operation.method, urlOf(operation), {
        body: '<deal/>',
        headers: { 'content-type': 'application/xml' },
      });
      await expectStatus(response, '415');
    }
  });

  it('requires a token unless the spec says otherwise', async () => {
    for (const operation of operations) {
      const open = operation.operation.security?.length === 0;
      const request = { ...firstBody(operation), token: null };
      await expectStatus(
        await call(operation.method, urlOf(operation), request),
        open ? operation.success.status : '401',
      );
    }
    expect(operations.filter(({ operation }) => operation.security?.length === 0)).toHaveLength(1);
  });

  it('is found with doubled or trailing slashes, and with unknown query parameters', async () => {
    for (const operation of operations) {
      const [path = '', query = ''] = urlOf(operation).split('?');
      const request = firstBody(operation);
      for (const form of [path.replace(/\/?$/, ''), path.replace(/\/?$/, '/'), path.replaceAll('/', '//')]) {
        const response = await call(operation.method, `${form}?${query}&unknown=1`, request);
        await expectStatus(response, operation.success.status);
      }
    }
  });

  it('without a body accepts one with GET or DELETE', async () => {
    for (const operation of operations.filter(({ body, method }) => !body && method === 'DELETE')) {
      const response = await call(operation.method, urlOf(operation), { json: { any: 'thing' } });
      await expectStatus(response, operation.success.status);
    }
  });

  // A schema that does not compile disables Prism's check silently, so each operation must reject a body.
  it.each(withBody.map((operation) => [operation.operationId, operation] as const))(
    '%s rejects a body of another type',
    async (_id, operation) => {
      const response = await call(operation.method, urlOf(operation), { json: 'no object' });
      const text = await response.text();
      expect([response.status, text]).toEqual([422, text]);
      expect(JSON.parse(text).violations[0].location[0]).toBe('body');
    },
  );

  it('rejects a word instead of a number in its path', async () => {
    expect(withNumberInPath.length).toBeGreaterThan(0);
    for (const operation of withNumberInPath) {
      const name = numberInPath(operation) ?? '';
      const response = await call(operation.method, urlOf(operation, { [name]: 'word' }), firstBody(operation));
      const text = await response.text();
      expect([operation.operationId, response.status, text]).toEqual([operation.operationId, 422, text]);
      expect(JSON.parse(text).violations[0].location).toEqual(['path', name]);
    }
  });

  it('responds to a preflight with Authorization', async () => {
    for (const operation of operations) {
      const response = await call('OPTIONS', urlOf(operation), {
        token: null,
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': operation.method,
          'access-control-request-headers': 'authorization,content-type',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
    }
  });
});

describe('a campaign', () => {
  it.each([
    [{}, 'body: The campaign has neither a mailing list nor a phone number.'],
    [
      { recipients: ['+15550100123'] },
      'body.recipients.0: A phone number, as an integer or as a string of digits (an assumption: its form is not documented)',
    ],
  ])('is rejected with the sentence of the spec alone: %j', async (audience, detail) => {
    const json = {
      message_type: 2,
      sender_id: 5,
      send_date: '2099-11-04 12:00:00',
      message_live_time: 60,
      message: 'a',
    };
    const response = await call('POST', '/msgr', { json: { ...json, ...audience } });
    expect(await response.json()).toMatchObject({ detail, violationCount: 1 });
  });
});
