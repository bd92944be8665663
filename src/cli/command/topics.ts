import { termsOf } from '../../shared/search/words.ts';

/** A task that is not a single call. */
interface Topic {
  /** Command for the task. */
  line: string;
  summary: string;
  /** Words that users enter to search for the task. */
  words: string;
}

const topics: readonly Topic[] = [
  {
    line: 'carillon crm contacts create --each contacts.csv',
    summary: 'Call any method once for each row of a CSV or NDJSON file',
    words: 'import csv ndjson file rows many bulk each add create contacts upload load batch spreadsheet excel resume',
  },
  {
    line: 'carillon jobs run import-contacts contacts.csv',
    summary: 'Import with a ready-made job, on one machine or on several with Postgres (carillon-jobs)',
    words:
      'import csv ndjson file rows many bulk add create jobs contacts upload load queue machines postgres ready-made',
  },
  {
    line: 'carillon crm contacts list --all --output csv',
    summary: 'Write a whole list as CSV',
    words: 'export csv ndjson file save download backup all contacts list deals',
  },
  {
    line: 'carillon login --profile staging',
    summary: 'Store the credentials of another account',
    words: 'account accounts profile profiles login switch several credentials staging key',
  },
  {
    line: 'carillon api GET /crm/v1/users',
    summary: 'Send a request to a path',
    words: 'raw api request path http curl url endpoint',
  },
];

/** Finds the tasks that match all words. */
export function findTopics(text: string): Topic[] {
  const asked = termsOf(text);
  if (asked.length === 0) return [];
  return topics.filter(({ words }) => {
    const known = termsOf(words);
    return asked.every((term) => known.includes(term));
  });
}
