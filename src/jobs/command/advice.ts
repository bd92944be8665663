import type { JobStatus } from '../types.ts';

const common =
  'The outcome of an unknown row is not known, and it is not sent again automatically. Find out whether it was processed:';

const advice: Record<string, string> = {
  'import-contacts':
    'look for the contact by its name, or at the contact that the line names, and whether it has the phone, email, messenger or tag.',
  'send-campaign':
    'look for its name in the list of campaigns (api.messaging.campaigns.list()): the title, followed by the part.',
  'send-emails':
    'look for the recipient and the subject in the list of messages (api.email.messages.list({ recipient })).',
};

/** Advice for planning a cancelled job again. */
export function adviceForCancelled({ name, rows, begun = 0 }: JobStatus): string {
  const listed =
    begun > 0 ? ` carillon-jobs problems ${name} lists those that are begun: only some of their steps are done.` : '';
  const done = rows.done + begun > 0 ? ' Leave out what was done in this one, or it is done again.' : '';
  return `A cancelled job cannot continue. A new job sends all rows of its file.${done}${listed}`;
}

/** Advice for editing a file of rows to repair. */
export function adviceForRepair(file: string, hasUnknown: boolean): string {
  const decide = 'For each unknown row, write done or not done under outcome, and the ID of what exists under result.';
  return [
    'Correct them, or delete those that should stay as they are.',
    `Then run the job again with --repair ${file}.`,
    ...(hasUnknown ? [decide] : []),
  ].join('\n');
}

/** Advice for checking the unknown rows of a job. */
export function adviceFor(definition: string): string {
  const check = advice[definition];
  if (check === undefined)
    return `${common} look for its result. Then tell the program that planned it, such as carillon … --each with --decide.`;
  return `${common} ${check} Then write --rows <file>, fill in the outcomes, and feed it back with run --repair.`;
}
