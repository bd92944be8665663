import { afterAll, describe, expect, it } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { connectAgent, type Version, versions, yes } from './connect.ts';

const [newest] = Object.keys(versions);

describe.each(Object.keys(versions) as Version[])('a client of %s', async (version) => {
  const agent = await connectAgent(version, { answer: yes });
  afterAll(() => agent.close());

  // The protocol is the same for all, so the other version calls some.
  const called = methods.filter((_, index) => version === newest || index % 8 === 0);

  it(`calls ${version === newest ? 'every method' : 'methods'} with its example`, async () => {
    const { sandbox } = agent.context;
    const failed: string[] = [];
    for (const { name, effect, example, id } of called) {
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
