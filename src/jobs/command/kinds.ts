import { readFile } from 'node:fs/promises';
import type { Client } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { campaignSource } from '../built-in/campaign-source.ts';
import { contactSource } from '../built-in/contact-source.ts';
import { emailSource } from '../built-in/email-source.ts';
import { contactDetails, dealDetails, exportContacts, exportDeals } from '../built-in/exports.ts';
import { importContacts } from '../built-in/import-contacts.ts';
import { assertCampaignContent, assertEmailContent } from '../built-in/message-content.ts';
import { sendCampaign } from '../built-in/send-campaign.ts';
import { sendEmails } from '../built-in/send-emails.ts';
import { JobsError } from '../jobs-error.ts';
import { jobsFileError } from '../sources/read-rows.ts';
import type { JobDefinition, JobStatus, Jobs, PlanOptions, Source } from '../types.ts';
import { positive } from './arguments.ts';
import type { RunOptions } from './run-options.ts';

/** All built-in jobs, which every worker can process. */
export const definitions: readonly JobDefinition[] = [
  importContacts,
  exportContacts,
  exportDeals,
  sendCampaign,
  sendEmails,
];

type Settings = Pick<PlanOptions<unknown>, 'name' | 'rate' | 'priority' | 'startAt' | 'retention' | 'isSentBefore'>;

/** A built-in job with the options of the user. */
export interface ChosenJob {
  plan(jobs: Jobs, settings: Settings): Promise<JobStatus>;
  /** Returns a source of the rows in a repair file. Absent for exports, which are run again instead. */
  repair?(file: string, api: Client): Source;
  /** Name of the step that returns the record that an export writes. */
  exports?: string;
}

type Choose = (file: string, given: RunOptions) => Promise<ChosenJob>;

const kinds: Record<string, Choose> = {
  'import-contacts': async (file, given) => {
    const responsibleId = positive(given.responsible, 'responsible');
    const options = { file, ...(responsibleId !== undefined && { responsibleId }), ...fileOptions(given) };
    return {
      plan: (jobs, settings) => jobs.plan(importContacts, { ...settings, options }),
      repair: (rows, api) => contactSource({ ...options, file: rows }, api, { isRepair: true }),
    };
  },
  'export-contacts': async (_file, given) => {
    const details = (given.detail ?? []).map((detail) => oneOf(contactDetails, detail));
    return {
      plan: (jobs, settings) => jobs.plan(exportContacts, { ...settings, options: { details } }),
      exports: 'contact',
    };
  },
  'export-deals': async (_file, given) => {
    const details = (given.detail ?? []).map((detail) => oneOf(dealDetails, detail));
    return { plan: (jobs, settings) => jobs.plan(exportDeals, { ...settings, options: { details } }), exports: 'deal' };
  },
  'send-campaign': async (file, given) => {
    const { title } = given;
    if (!title) throw new UsageError('send-campaign needs a --title that no other campaign has.');
    const message = await readMessage(given, assertCampaignContent);
    const options = { file, title, message, ...fileOptions(given) };
    return {
      plan: (jobs, settings) => jobs.plan(sendCampaign, { ...settings, options }),
      repair: (rows) => campaignSource({ ...options, file: rows }, { isRepair: true }),
    };
  },
  'send-emails': async (file, given) => {
    const message = await readMessage(given, assertEmailContent);
    const options = { file, message, skipUnsubscribed: !given.toUnsubscribed, ...fileOptions(given) };
    return {
      plan: (jobs, settings) => jobs.plan(sendEmails, { ...settings, options }),
      repair: (rows) => emailSource({ ...options, file: rows }, { isRepair: true }),
    };
  },
};

/** @throws `UsageError` if the job does not exist, or if an option is missing */
export async function choose(kind: string, file: string, given: RunOptions): Promise<ChosenJob> {
  const chosen = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!chosen) throw new UsageError(`Unknown kind of job '${kind}'. Choose one of: ${Object.keys(kinds).join(', ')}.`);
  return chosen(file, given);
}

/** Returns the options that all jobs with a file share. Omits options that are not set, because the options of a job are compared. */
function fileOptions({ onePerRecipient, skipColumns }: RunOptions): { onePerRecipient?: true; skipColumns?: string[] } {
  return {
    ...(onePerRecipient && { onePerRecipient }),
    ...(skipColumns !== undefined && { skipColumns: skipColumns.split(',').map((name) => name.trim()) }),
  };
}

async function readMessage<Content>(
  { message: file }: RunOptions,
  assertContent: (value: unknown, file: string) => asserts value is Content,
): Promise<Content> {
  if (!file) throw new UsageError('This job needs --message <file>, a JSON file with the message for every recipient.');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw jobsFileError(file, error);
  });
  const value = parseJson(file, text);
  assertContent(value, file);
  return value;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JobsError(`${file}: the file is not valid JSON.`);
  }
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const name = names.find((one) => one === text);
  if (name) return name;
  throw new UsageError(`--detail must be one of ${names.join(', ')}, not '${text}'.`);
}
