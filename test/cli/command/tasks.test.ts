import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'carillon';
import { expect, it, onTestFinished } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon, type Surroundings, shellWords } from '../../support/terminal.ts';

/** Runs a command line. Returns its standard output. */
type Run = (line: string, surroundings?: Surroundings) => Promise<string>;

interface Task {
  /** The wish of a person at the support desk. */
  asked: string;
  /** Creates records before the task. */
  prepare?: (client: Client) => Promise<unknown>;
  /** Expected number of commands, and of questions. */
  commands: number;
  questions: number;
  work: (run: Run, folder: string) => Promise<unknown>;
  /** Answer to the wish. */
  result: unknown;
}

const columnsOf = (output: string) => output.split('\n').map((line) => line.trim().split(/ {2,}/));
const yes = (): Surroundings => ({ answers: ['y'] });

const tasks: Task[] = [
  {
    asked: 'What is the phone number of Ann Kowal?',
    commands: 1,
    questions: 0,
    work: async (run) => columnsOf(await run('crm contacts list --last-name Kowal'))[1]?.[3],
    result: '+15550100123 (6101)',
  },
  {
    asked: 'Whose number is this?',
    commands: 1,
    questions: 0,
    work: async (run) => (await run('crm contacts list --phone 15550100124 --output text --columns firstName')).trim(),
    result: 'Ben',
  },
  {
    asked: 'Note on the renewal that Ann wants a yearly invoice.',
    commands: 3,
    questions: 0,
    async work(run) {
      await run('search note deal');
      await run("crm deals comments create 501 --message 'Ann wants a yearly invoice.'");
      return (await run('crm deals comments list 501 --output text --columns message')).includes('yearly invoice');
    },
    result: true,
  },
  {
    asked: 'Move the renewal to the next step.',
    commands: 3,
    questions: 0,
    async work(run) {
      const input = await run('crm deals get 501 --json pipelineId,status,name,price');
      await run('crm deals update 501 --input - --step-id 12', { input });
      return (await run('crm deals get --deal-id 501 --output text --columns stepId')).trim();
    },
    result: '12',
  },
  {
    asked: 'The renewal is won.',
    commands: 2,
    questions: 0,
    async work(run) {
      const input = await run('crm deals get 501 --json pipelineId,stepId,name,price');
      return (await run('crm deals update 501 --input - --status 3 --output text --columns status', { input })).trim();
    },
    result: '3',
  },
  {
    asked: 'Ben is a VIP now.',
    commands: 2,
    questions: 0,
    async work(run) {
      const tag = (await run('crm tags list --name VIP --output text --columns id')).trim();
      return run(`crm tags assign --tag-id ${tag} --contact-id 3002`);
    },
    result: '',
  },
  {
    asked: 'Ben wants to be forgotten.',
    commands: 1,
    questions: 1,
    work: (run) => run('crm contacts delete 3002', yes()),
    result: '',
  },
  {
    asked: 'Whose mail bounced, and why?',
    commands: 2,
    questions: 0,
    async work(run) {
      const [head, first] = columnsOf(await run('email bounces list'));
      const why = await run('email bounces list --output text --columns smtp_answer_data');
      return [head?.slice(0, 3), first?.[1], why.trim()];
    },
    result: [['ID', 'RECIPIENT', 'SUBJECT'], 'ben.ito@example.com', 'Mailbox unavailable'],
  },
  {
    asked: 'Write to Ann that her plan renews.',
    commands: 1,
    questions: 1,
    work: (run) =>
      run(
        `email messages send --subject 'Your renewal' --from email=sales@example.com --to '{"email":"ann.kowal@example.com"}' --html '<p>Hello</p>' --text Hello --output text --columns result`,
        yes(),
      ),
    result: 'true\n',
  },
  {
    asked: 'This address wants no more mail.',
    commands: 2,
    questions: 0,
    async work(run) {
      await run(`email unsubscribes add --emails '{"email":"dora@example.com","comment":"by phone"}'`);
      return (await run('email unsubscribes list --output text --columns email')).includes('dora@example.com');
    },
    result: true,
  },
  {
    asked: 'This number wants no more messages.',
    commands: 1,
    questions: 0,
    work: (run) => run('messaging blacklist add --phones 15550100999 --output text --columns result'),
    result: 'true\n',
  },
  {
    asked: 'Is the campaign for the sale right? Send nothing.',
    commands: 2,
    questions: 1,
    async work(run) {
      const sender = (await run('messaging senders list --output text --columns id')).split('\n')[0];
      const campaign = `--message-type 2 --sender-id ${sender} --message-live-time 3600 --send-date now --recipients 15550100123 --message Sale --emulate`;
      return Number(await run(`messaging campaigns create ${campaign} --output text --columns task_id`, yes())) > 0;
    },
    result: true,
  },
  {
    asked: 'Give me all contacts as a file for a spreadsheet.',
    commands: 1,
    questions: 0,
    work: async (run) =>
      (await run('crm contacts list --all --output csv --columns id,firstName,lastName')).split('\r\n'),
    result: ['id,firstName,lastName', '3001,Ann,Kowal', '3002,Ben,Ito', ''],
  },
  {
    asked: 'Add the guests of this file.',
    commands: 2,
    questions: 0,
    async work(run, folder) {
      const file = join(folder, 'guests.csv');
      writeFileSync(file, 'key,first_name,last_name\nc-1,Ada,Adler\nc-2,Bela,Boros\n');
      await run(`crm contacts create --each ${file} --responsible-id 77`);
      return (await run('crm contacts list --all --output text --columns firstName')).split('\n');
    },
    result: ['Ann', 'Ben', 'Ada', 'Bela', ''],
  },
  {
    asked: 'Correct names in the exported file, and write them back.',
    commands: 3,
    questions: 0,
    async work(run, folder) {
      const file = join(folder, 'contacts.csv');
      const exported = await run('crm contacts list --all --output csv --columns id,responsibleId,firstName');
      writeFileSync(file, exported.replace('id,', 'contactId,').replace('Ben', 'Benjamin'));
      await run(`crm contacts update --each ${file} --exported`);
      return (await run('crm contacts get 3002 --output text --columns firstName')).trim();
    },
    result: 'Benjamin',
  },
  {
    asked: 'What does the service really answer?',
    commands: 1,
    questions: 0,
    work: async (run) => (await run('api GET /crm/v1/users')).startsWith('{"data":['),
    result: true,
  },
];

it('there are sixteen everyday tasks', () => {
  expect(tasks).toHaveLength(16);
});

it.each(tasks.map((task) => [task.asked, task] as const))('%s', async (_, task) => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-task-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const connection = (options = {}) => ({
    ...connectionTo({
      ...options,
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'k' },
      fetch: sandbox.fetch,
    }),
    profile: 'default',
  });
  await task.prepare?.(connection().client);
  let [commands, questions] = [0, 0];
  const deadEnds: string[] = [];
  const run: Run = async (line, surroundings = {}) => {
    commands += 1;
    const { code, output, errors } = await carillon(shellWords(line), {
      isTerminal: true,
      columns: 80,
      connect: async ({ options }) => connection(options),
      ...surroundings,
    });
    questions += errors.split('Continue? [y/N]').length - 1;
    if (code !== 0) deadEnds.push(`${line}: ${errors}`);
    return output;
  };
  const begun = performance.now();
  const result = await task.work(run, folder);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  if (process.env.CARILLON_TASKS)
    console.log(`${task.asked} ${commands} commands, ${questions} questions, ${seconds} s`);
  expect([deadEnds, result, commands, questions]).toEqual([[], task.result, task.commands, task.questions]);
});
