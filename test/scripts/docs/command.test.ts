import { expect, it, vi } from 'vitest';
import { runDocs } from '../../../scripts/docs/command.ts';

it.each([
  ['--base docs', "--base must be a path such as /docs/, not 'docs'."],
  ['--base //host.example/', "--base must be a path such as /docs/, not '//host.example/'."],
  ['--site example.com', '--site must be an origin'],
  ['--site https://example.com/docs/', "not 'https://example.com/docs/'. --base has the path."],
])('%s is invalid, and nothing is built', async (line, message) => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await runDocs(line.split(' '))).toBe(2);
  expect(errors.mock.calls.flat().join('\n')).toContain(message);
});
