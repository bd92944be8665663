import { expect, test } from 'vitest';
import { buildOutput } from '../../../scripts/generate/build.ts';
import { buildInThread } from '../../../scripts/generate/build-in-thread.ts';

test('a build that is stopped fails, and the next ones have the output', async () => {
  const stop = new AbortController();
  const stopped = buildInThread(stop.signal);
  stop.abort();
  await expect(stopped).rejects.toThrow('abort');
  const expected = await buildOutput();
  for (const _ of ['a new thread', 'the thread of the build before'])
    expect(await buildInThread(new AbortController().signal)).toEqual(expected);
});
