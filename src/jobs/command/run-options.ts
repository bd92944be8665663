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

const about = `Plans a job and works on it until it is finished. If the job already exists, it continues.

Jobs:
  import-contacts <file>   creates a contact for each row, with emails, phones, messengers, tags and attributes
  export-contacts <file>   writes all contacts to the file
  export-deals <file>      writes all deals to the file
  send-campaign <file>     sends a messaging-app campaign to the phone numbers in the file
  send-emails <file>       sends an email for each row

The file name must end in .csv, .ndjson or .jsonl.`;

/** @param line - name of the command, such as `carillon-jobs run` */
export function runCommandOf(line: string): Command {
  return createCommand(line, about)
    .argument('<job>')
    .argument('<file>')
    .option('--name <name>', 'job name, unique for each job (default: file name without extension)')
    .option('--responsible <id>', 'import-contacts: team member for rows without a responsibleId')
    .option('--message <file>', 'send-campaign, send-emails: JSON file with the message for every recipient')
    .option('--title <text>', 'send-campaign: name of the campaign')
    .option('--to-unsubscribed', 'send-emails: also send to addresses on the unsubscribe list')
    .option(
      '--one-per-recipient',
      'treat a row as invalid if an earlier row has the same recipient, even if other values differ (import-contacts: same phone or email)',
    )
    .option('--skip-columns <names>', 'columns of the file to skip, separated by commas, such as plan,notes')
    .option(
      '--detail <name>',
      'exports: detail of each record to export as well (deals, attributes, payments, comments or contacts); can be repeated',
      repeated,
    )
    .option('--repair <file>', 'apply the edited rows in the file that "carillon-jobs problems --rows <file>" wrote')
    .option('--rate <number>', 'maximum requests per second on all machines, stored with the job (default: no limit)')
    .option(
      '--priority <number>',
      'priority over other jobs, stored with the job (default 0; jobs with a higher priority go first)',
    )
    .option('--concurrency <number>', 'maximum number of rows in flight in this process (default 10)')
    .option('--start-at <time>', 'plan only: workers send the first row at this time, such as 2026-11-30T08:00:00Z')
    .option(
      '--retention <days>',
      'number of days after the end of the job before workers remove its values, results and reasons',
    )
    .option(
      '--again',
      'plan the job even if this folder remembers a job with this name or file, and that job was lost or is stored elsewhere; all rows are sent',
    )
    .option('--plan', 'plan only: workers on other machines do the work');
}
