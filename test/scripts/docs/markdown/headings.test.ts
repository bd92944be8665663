import { lexer } from 'marked';
import { expect, it } from 'vitest';
import { readHeadings } from '../../../../scripts/docs/markdown/headings.ts';

it("headings have GitHub's anchors", () => {
  const headings = readHeadings(lexer('## What, `sent` says?\n\n## A – b\n\n## A – b\n'));
  expect(headings.map(({ id }) => id)).toEqual(['what-sent-says', 'a--b', 'a--b-1']);
});
