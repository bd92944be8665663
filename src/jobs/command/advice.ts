import type { JobStatus } from '../types.ts';

const common =
  'The request of an unknown row may have been processed, so the row is not sent again automatically. To find out whether it was processed,';

const advice: Record<string, string> = {
  'import-contacts':
    'look for the contact by name or, if the line shows a contact ID, check whether that contact has the phone, email, messenger or tag.',
  'send-campaign':
    'look for the campaign in the list of campaigns (api.messaging.campaigns.list()). Its name is the title, followed by the part.',
  'send-emails':
    'look for the recipient and the subject in the list of messages (api.email.messages.list({ recipient })).',
};

/** Advice for planning a cancelled job again. */
export function adviceForCancelled({ name, rows, begun = 0 }: JobStatus): string {
  const listed = begun > 0 ? ` carillon-jobs problems ${name} lists the rows that are only partly done.` : '';
  const done =
    rows.done + begun > 0
      ? ' Leave out the rows that this job has already processed; otherwise they are sent again.'
      : '';
  return `A cancelled job cannot continue. A new job sends all rows of its file.${done}${listed}`;
}

/** Advice for editing a repair file. */
export function adviceForRepair(file: string, hasUnknown: boolean): string {
  const decide =
    "For each unknown row, enter 'done' or 'not done' in the column 'outcome', and the ID of the existing record in the column 'result'.";
  return [
    'Correct the rows, or delete the rows that should stay as they are.',
    `Then run the job again with --repair ${file}.`,
    ...(hasUnknown ? [decide] : []),
  ].join('\n');
}

/** Advice for checking the unknown rows of a job. */
export function adviceFor(definition: string): string {
  const check = advice[definition];
  if (check === undefined)
    return `${common} look for its result in the service. Then record the outcome with the program that planned the job, for example by running carillon … --each again with --decide.`;
  return `${common} ${check} Then write the rows to a file with --rows <file>, fill in the outcomes, and apply the file with run --repair.`;
}
