import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LatestQuestion } from '../../../docs/src/search/latest.ts';

describe('a question that is typed', () => {
  const asked: { question: string; answer: (text: string) => void; fail: (error: Error) => void }[] = [];
  const shown: string[] = [];
  let questions: LatestQuestion<string>;

  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    asked.length = 0;
    shown.length = 0;
    questions = new LatestQuestion({
      ask: (question) => new Promise((resolve, reject) => asked.push({ question, answer: resolve, fail: reject })),
      show: (answer) => shown.push(answer),
      fail: (error) => shown.push(`failed: ${error instanceof Error ? error.message : error}`),
    });
  });

  it('is asked once when the reader pauses', async () => {
    for (const text of ['d', 'de', 'deal']) questions.later(text);
    expect(asked).toEqual([]);
    await vi.runAllTimersAsync();
    expect(asked.map(({ question }) => question)).toEqual(['deal']);
  });

  it('is asked at once on request, and not again', async () => {
    questions.later('deal');
    const done = questions.now('deal');
    asked[0]?.answer('a');
    await done;
    await vi.runAllTimersAsync();
    expect({ asked: asked.length, shown }).toEqual({ asked: 1, shown: ['a'] });
  });

  it('ignores an older answer that arrives later', async () => {
    questions.later('deal');
    await vi.runAllTimersAsync();
    questions.later('deals');
    await vi.runAllTimersAsync();
    asked[1]?.answer('new');
    asked[0]?.answer('old');
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['new']);
  });

  it('is stale as soon as the next letter is typed', async () => {
    questions.later('deal');
    await vi.runAllTimersAsync();
    questions.later('deals');
    asked[0]?.answer('old');
    await Promise.resolve();
    expect(shown).toEqual([]);
  });

  it('is cancelled if the field is cleared, even if it fails', async () => {
    questions.later('deal');
    await vi.runAllTimersAsync();
    questions.cancel();
    asked[0]?.fail(new Error('offline'));
    await vi.runAllTimersAsync();
    expect(shown).toEqual([]);
  });

  it('shows its failure', async () => {
    questions.later('deal');
    await vi.runAllTimersAsync();
    asked[0]?.fail(new Error('offline'));
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['failed: offline']);
  });
});
