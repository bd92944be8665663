import { expect, test } from 'vitest';
import { crmReplies } from '../../../generated/crm/replies.ts';
import { readRecording } from '../../../src/cli/learn/read-recording.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import { amounts } from '../../support/amounts.ts';

const base = 'https://api.example.com';

test('a recording is read with constant memory', async () => {
  const heap = async (megabytes: number): Promise<number> => {
    const text = JSON.stringify({ data: Array.from({ length: 200 }, (_, id) => ({ id, name: 'x'.repeat(200) })) });
    const body = JSON.stringify({
      request: { method: 'GET', url: `${base}/crm/v1/users`, headers: [] },
      response: { status: 200, content: { mimeType: 'application/json', text } },
    });
    let highest = 0;
    async function* chunks() {
      yield Buffer.from('{"log":{"entries":[');
      for (let sent = 0; sent < megabytes * 1e6; sent += body.length) {
        yield Buffer.from(`${sent === 0 ? '' : ','}${body}`);
        highest = Math.max(highest, process.memoryUsage().heapUsed);
      }
      yield Buffer.from(']}}');
    }
    const result = await readRecording(chunks(), 'a.har', base, new Recorder([crmReplies]));
    expect(result.taken).toBeGreaterThan(megabytes * 10);
    return highest;
  };
  const small = await heap(2);
  expect(await heap(amounts.recordingMegabytes)).toBeLessThan(small + 150e6);
});
