import type { Usage } from './arguments.ts';

/** Options of `carillon-jobs run`. */
export type RunOption =
  | 'name'
  | 'responsible'
  | 'message'
  | 'title'
  | 'detail'
  | 'repair'
  | 'concurrency'
  | 'rate'
  | 'plan'
  | 'to-unsubscribed';

export const runUsage: Usage<RunOption> = {
  about: `Plans a job and works on it until it is finished. A job that exists continues.

Jobs:
  import-contacts <file>   a contact for each row, with emails, phones, messengers, tags and attributes
  export-contacts <file>   writes all contacts to the file
  export-deals <file>      writes all deals to the file
  send-campaign <file>     a messaging-app campaign to the phone numbers of the file
  send-emails <file>       an email to each row

The name of a file ends in .csv, .ndjson or .jsonl.`,
  positionals: ['<job>', '<file>'],
  options: {
    name: { value: 'name', text: 'name of the job, new for each (default: name of the file without extension)' },
    responsible: { value: 'id', text: 'import-contacts: team member for rows without a responsibleId' },
    message: { value: 'file', text: 'send-campaign, send-emails: JSON file with what every recipient gets' },
    title: { value: 'text', text: 'send-campaign: name of the campaign' },
    'to-unsubscribed': { text: 'send-emails: send to addresses on the unsubscribe list too' },
    detail: {
      value: 'name',
      multiple: true,
      text: 'exports: deals, attributes, payments, comments or contacts of each record; repeat it for several',
    },
    repair: { value: 'file', text: 'feed back the rows that "carillon-jobs problems --rows <file>" wrote' },
    rate: { value: 'number', text: 'requests per second over all machines, stored with the job (default: no limit)' },
    concurrency: { value: 'number', text: 'rows in flight in this process (default 10)' },
    plan: { text: 'plan only: workers on other machines do the work' },
  },
};
