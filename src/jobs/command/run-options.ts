import type { Command } from 'commander';
import { createCommand, repeated } from '../../shared/command-line.ts';
import type { OutputOptions } from './output.ts';

export interface RunOptions extends OutputOptions {
  name?: string;
  responsible?: string;
  message?: string;
  title?: string;
  toUnsubscribed?: true;
  onePerRecipient?: true;
  skipColumns?: string;
  detail?: string[];
  repair?: string;
  rate?: string;
  priority?: string;
  concurrency?: string;
  plan?: true;
  startAt?: string;
  retention?: string;
  again?: true;
}

const about = `Plans a job and works on it until it is finished. A job that exists continues.

Jobs:
  import-contacts <file>   a contact for each row, with emails, phones, messengers, tags and attributes
  export-contacts <file>   writes all contacts to the file
  export-deals <file>      writes all deals to the file
  send-campaign <file>     a messaging-app campaign to the phone numbers of the file
  send-emails <file>       an email to each row

The name of a file ends in .csv, .ndjson or .jsonl.`;

/** @param line - command line without options */
export function runCommandOf(line: string): Command {
  return createCommand(line, about)
    .argument('<job>')
    .argument('<file>')
    .option('--name <name>', 'name of the job, new for each (default: name of the file without extension)')
    .option('--responsible <id>', 'import-contacts: team member for rows without a responsibleId')
    .option('--message <file>', 'send-campaign, send-emails: JSON file with the message for every recipient')
    .option('--title <text>', 'send-campaign: name of the campaign')
    .option('--to-unsubscribed', 'send-emails: send to addresses on the unsubscribe list too')
    .option(
      '--one-per-recipient',
      'a row is invalid if an earlier one has its recipient, even if other values differ (import-contacts: phone or email)',
    )
    .option('--skip-columns <names>', 'columns of the file to leave out, such as plan,notes')
    .option(
      '--detail <name>',
      'exports: deals, attributes, payments, comments or contacts of each record; repeat it for several',
      repeated,
    )
    .option('--repair <file>', 'feed back the rows that "carillon-jobs problems --rows <file>" wrote')
    .option('--rate <number>', 'requests per second over all machines, stored with the job (default: no limit)')
    .option('--priority <number>', 'priority over other jobs, stored with the job (default 0; higher ones go first)')
    .option('--concurrency <number>', 'rows in flight in this process (default 10)')
    .option('--start-at <time>', 'plan only: workers send the first row at this time, such as 2026-11-30T08:00:00Z')
    .option('--retention <days>', 'days after its end after which workers remove its values, results and reasons')
    .option(
      '--again',
      'plan it although this folder remembers the job or its file in jobs that are lost or elsewhere: all rows are sent',
    )
    .option('--plan', 'plan only: workers on other machines do the work');
}
