import { expect, test } from 'vitest';
import { BadValue } from '../../../../src/client/core/bad-value.ts';
import { createProductContext, startCall } from '../../../../src/client/core/call.ts';
import { encodeField, toBase64 } from '../../../../src/client/core/encode.ts';
import { isCarillonError } from '../../../../src/client/core/errors/is-carillon-error.ts';
import { type PathInit, preparePath } from '../../../../src/client/core/prepare.ts';
import { Redactor } from '../../../../src/client/core/redact.ts';
import { readSettings } from '../../../../src/client/core/settings.ts';
import fc, { anyCharacter, samples } from '../../../fast-check.ts';
import { writePath } from '../written-path.ts';

/** Any Unicode text, biased towards characters with a meaning in addresses and headers. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'E', '?', '#', '&', '=', ' ', '\r', '\n', '\0', 'ü', '\ud800'),
  }),
);

/** Returns the result of a call, or the error that it throws. */
function attempt<T>(action: () => T): { value: T } | { error: unknown } {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

test('bytes and texts survive Base64 unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(toBase64(bytes), 'base64').equals(bytes)).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (content) => {
      const encoded = attempt(() => encodeField(content, 'base64Text', 'html'));
      if ('error' in encoded) expect(Buffer.from(content, 'base64').toString()).toMatch(/^\s*</);
      else expect(Buffer.from(String(encoded.value), 'base64').toString()).toBe(content);
    }),
  );
});

test('a map of files keeps its names, whatever they are', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.uint8Array()), (files) => {
      const encoded = encodeField(files, 'base64Map', 'files');
      expect(encoded).toEqual(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, toBase64(file)])));
    }),
  );
});

test('a value survives a JSON field unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const encoded = encodeField(value, 'json', 'filter');
      expect(encoded === null ? null : JSON.parse(String(encoded))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

const base = 'https://api.example.com/prefix';
const byText = {
  path: '/smtp/emails/{id}/parts',
  record: { method: 'things.get', id: 'getEmailMessage', text: ['id'] },
};

test('text in a path is either invalid, or survives as a single segment', () => {
  fc.assert(
    fc.property(text, (id) => {
      const result = attempt(() => writePath(byText, { id }));
      if ('error' in result) return void expect(result.error).toBeInstanceOf(BadValue);
      const url = new URL(base + result.value);
      const [, prefix, smtp, emails, value, parts, ...more] = url.pathname.split('/');
      expect([prefix, smtp, emails, parts, more, url.search, url.hash]).toEqual([
        'prefix',
        'smtp',
        'emails',
        'parts',
        [],
        '',
        '',
      ]);
      expect(decodeURIComponent(value ?? '')).toBe(id);
    }),
    { numRuns: samples(60) },
  );
});

test('an integer path value is either invalid or becomes digits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), text, fc.integer(), fc.double()), (dealId) => {
      const result = attempt(() =>
        writePath({ path: '/deals/{dealId}', record: { method: 'things.get', id: 'getDeal' } }, { dealId }),
      );
      if ('error' in result) expect(result.error).toBeInstanceOf(BadValue);
      else expect(result.value).toMatch(/^\/deals\/-?\d+$/);
    }),
    { numRuns: samples(60) },
  );
});

/** The request that the client sends for a call. */
async function build({ query, ...init }: { query?: Record<string, unknown> } & PathInit) {
  const sent: { url: string; body: unknown; headers: Record<string, string> }[] = [];
  const settings = readSettings({
    baseUrl: base,
    auth: null,
    fetch: async (url, { body, headers }) => {
      sent.push({ url, body, headers });
      return Response.json({ data: { id: 1 } });
    },
  });
  const product = createProductContext('', settings, { token: () => undefined });
  const operation = { method: 'POST', path: '/smtp/emails', record: { method: 'things.get', id: 'test' } };
  const prepared = preparePath(operation, [{ ...init, params: { query } }], build);
  try {
    await startCall(product, operation, prepared);
    return { value: sent[0] ?? expect.unreachable() };
  } catch (error) {
    expect(sent).toEqual([]);
    return { error };
  }
}

test('query values arrive unchanged and in order', async () => {
  const value = fc.oneof(text, fc.integer(), fc.boolean());
  const query = fc.record({ sender: value, email: fc.array(value, { minLength: 1 }) });
  await fc.assert(
    fc.asyncProperty(query, async ({ sender, email }) => {
      const result = await build({ query: { sender, email, none: undefined, nothing: null, empty: [] } });
      if ('error' in result) return void expect(isCarillonError(result.error, 'ArgumentError')).toBe(true);
      const { searchParams, pathname, hash } = new URL(result.value.url);
      expect([...searchParams]).toEqual([['sender', String(sender)], ...email.map((one) => ['email', String(one)])]);
      expect([pathname, hash]).toEqual(['/prefix/smtp/emails', '']);
    }),
  );
});

test('a body is either sent as its exact JSON or invalid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (body) => {
      const result = await build({ body });
      if ('error' in result) return void expect(isCarillonError(result.error, 'ArgumentError')).toBe(true);
      expect(result.value.body).toBe(attemptJson(body));
    }),
  );
});

function attemptJson(value: unknown): string | undefined {
  const json: unknown = JSON.stringify(value);
  return typeof json === 'string' ? json : undefined;
}

test('no header value adds another header', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const result = await build({ headers: { 'X-Name': value } });
      if ('error' in result) {
        expect(isCarillonError(result.error, 'ArgumentError')).toBe(true);
        // A refused value may be a secret.
        if (value.length > 4) expect(String(result.error)).not.toContain(value);
        return;
      }
      expect(Object.keys(result.value.headers)).toEqual(['accept', 'x-name']);
      expect(result.value.headers['x-name']).not.toMatch(/[\r\n\0]/);
    }),
    { numRuns: samples(40) },
  );
});

test('text in a message is short, without secrets or control characters', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'b', '$', '&', '+', '/', '='), minLength: 8, maxLength: 60 });
  fc.assert(
    fc.property(text, secret, text, fc.nat(400), (before, token, after, length) => {
      const cleaned = new Redactor([token]).clean(`${before}${'x'.repeat(length)}${token}${after}${token}`);
      expect(cleaned).not.toContain(token);
      expect(cleaned).not.toMatch(/\p{Cc}/u);
      expect(cleaned.length).toBeLessThanOrEqual(301);
    }),
  );
});
