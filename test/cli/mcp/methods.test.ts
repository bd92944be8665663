import { afterAll, describe, expect, it } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { connectAgent, type Version, versions, yes } from './connect.ts';

describe.each(Object.keys(versions) as Version[])('a client of %s', async (version) => {
  const agent = await connectAgent(version, { answer: yes });
  afterAll(() => agent.close());

  it('calls every method with its example', async () => {
    const { sandbox } = agent.context;
    const failed: string[] = [];
    for (const { name, effect, example, id } of methods) {
      sandbox?.reset();
      sandbox?.log.clear();
      const { text, isError } = await agent.call(effect, { method: name, params: example });
      const request = sandbox?.requests.findLast(({ operation }) => operation === id);
      // Some examples refer to records that a new sandbox lacks.
      if (!request || (isError && !/status 4\d\d/.test(text))) failed.push(`${name}: ${text}`);
    }
    expect(failed).toEqual([]);
  });
});
