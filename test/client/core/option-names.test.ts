import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { openJournal } from '../../../src/client/journal/index.ts';
import { createTracing } from '../../../src/client/otel.ts';
import { createQuery } from '../../../src/client/query/index.ts';
import { createResponseValidator } from '../../../src/client/validate.ts';

const api = createClient({ baseUrl: 'https://api.example.com', auth: null });

test.each<[string, (...args: never) => unknown, unknown[], string]>([
  [
    'createResponseValidator',
    createResponseValidator,
    [{ onInvalidd: 'throw' }],
    'onInvalidd, did you mean onInvalid?',
  ],
  ['createTracing', createTracing, [{ propagat: true }], 'propagat, did you mean propagate?'],
  ['createQuery', createQuery, [api, { prefx: [] }], 'prefx, did you mean prefix?'],
  ['openJournal', openJournal, [{ file: 'never-opened.sqlite', durabl: 'disk' }], 'durabl, did you mean durable?'],
])('%s refuses an unknown option', async (_, open, args, told) => {
  const error = await Promise.resolve()
    .then(() => Reflect.apply(open, undefined, args))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(`There is no option ${told}`) });
});
