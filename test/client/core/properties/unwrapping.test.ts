import { expect, test } from 'vitest';
import { apiError, isFailureBody, unwrap } from '../../../../src/client/core/read.ts';
import { Redactor } from '../../../../src/client/core/redact.ts';
import { isRecord } from '../../../../src/shared/is-record.ts';
import type { PayloadPath } from '../../../../src/shared/operation.ts';
import fc, { samples } from '../../../fast-check.ts';

const paths: (PayloadPath | undefined)[] = ['data', 'data[]', 'data.list', 'data.data', undefined];
const payloadPath = fc.constantFrom(...paths);
const described = (payload: PayloadPath | undefined) => ({
  id: 'test',
  method: 'things.get',
  ...(payload && { payload }),
});

/** JSON with the names that envelopes use, and names that reach into prototypes. */
const hostile = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, '', 'text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'data',
            'list',
            'meta',
            'total',
            'result',
            'error',
            'message',
            '__proto__',
            'constructor',
            'id',
          ),
          tie('value'),
        ),
        { maxLength: 4 },
      )
      // Like a parser, makes __proto__ an own member.
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('unwrapping an envelope returns the wrapped payload and metadata', () => {
  const beside = fc.record({ total: fc.nat(), searchRequest: fc.string() }, { requiredKeys: [] });
  fc.assert(
    fc.property(hostile, beside, beside, (payload, outer, inner) => {
      const meta = { ...outer, ...inner };
      const expected = Object.keys(meta).length > 0 ? meta : undefined;
      expect(unwrap({ data: payload, ...outer }, described('data'))).toEqual({
        data: payload,
        meta: Object.keys(outer).length > 0 ? outer : undefined,
      });
      for (const [path, member] of [
        ['data.list', 'list'],
        ['data.data', 'data'],
      ] as const) {
        const body = { data: { [member]: payload, ...inner }, ...outer };
        expect(unwrap(body, described(path))).toEqual({ data: payload, meta: expected });
      }
    }),
  );
});

test('unwraps any response without an exception, and returns a mismatch whole with the missing key named', () => {
  fc.assert(
    fc.property(hostile, payloadPath, (raw, payload) => {
      const body = parsed(raw);
      const result = unwrap(body, described(payload));
      if (result.missing !== undefined) expect(result).toMatchObject({ data: body, meta: undefined });
      else if (payload === undefined) expect(result.data).toBe(body);
      else expect(body === null || (isRecord(body) && Object.hasOwn(body, 'data'))).toBe(true);
    }),
    { numRuns: samples(60) },
  );
});

test('never changes the response itself', () => {
  fc.assert(
    fc.property(hostile, payloadPath, (raw, payload) => {
      const body = parsed(raw);
      const before = JSON.stringify(body);
      unwrap(body, described(payload));
      expect(JSON.stringify(body)).toBe(before);
    }),
  );
});

test('wraps a single record in a list if a list is inferred, and leaves a list unchanged', () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const payload = parsed(raw);
      const { data } = unwrap({ data: payload }, described('data[]'));
      expect(data).toEqual(isRecord(payload) ? [payload] : payload);
    }),
  );
});

test('no response pollutes a prototype or sets its own', () => {
  const text = fc.constantFrom(
    '{"__proto__": {"polluted": 1}, "data": {"list": [], "__proto__": {"polluted": 1}}}',
    '{"meta": {"__proto__": {"polluted": 1}}, "data": {"list": [1]}}',
    '{"constructor": {"prototype": {"polluted": 1}}, "data": {"data": 1, "list": 1}}',
    '{"data": {"__proto__": [], "list": []}}',
  );
  fc.assert(
    fc.property(text, payloadPath, (json, payload) => {
      const { meta } = unwrap(JSON.parse(json), described(payload));
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      if (meta) expect(Object.getPrototypeOf(meta)).toBe(Object.prototype);
    }),
  );
});

test('any body makes an error with operation and status in one line, and a short text code or none', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 200, max: 599 }), (raw, status) => {
      const body = parsed(raw);
      expect(typeof isFailureBody(body)).toBe('boolean');
      const response = new Response(null, { status });
      const error = apiError({ label: 'GET /deals (getDeal)', response, body, redactor: new Redactor([]) });
      expect(error.message).toContain(`GET /deals (getDeal) failed with HTTP status ${status}`);
      expect(error.message).not.toMatch(/\p{Cc}/u);
      expect(error.message.length).toBeLessThan(700);
      expect(['string', 'undefined']).toContain(typeof error.code);
      expect(error.body).toBe(body);
    }),
  );
});
