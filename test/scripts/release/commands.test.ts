import { describe, expect, test } from 'vitest';
import type { Commands } from '../../../scripts/release/commands/collect.ts';
import { compareCommands } from '../../../scripts/release/commands/compare.ts';
import { type Help, parseHelp } from '../../../scripts/release/commands/help.ts';
import { mcpCommand } from '../../../src/cli/mcp/options.ts';
import { runCommandOf } from '../../../src/jobs/command/run-options.ts';
import { sandboxCommand } from '../../../src/sandbox/command/options.ts';
import { helpOf } from '../../../src/shared/command-line.ts';
import { forEach, type Mutation, testMutations } from './mutations.ts';

const root = `Usage: carillon [options] [command]

Calls every method.

Options:
  --sandbox          use an embedded sandbox: no credentials, and
                     nothing reaches the service
  -q, --quiet        write no notes
  --output <format>  format of the output (default: table on a terminal, else json)
                     (choices: "table", "json", "csv")
  -h, --help         display help for command

Commands:
  crm                Pipelines and deals
  search <words...>  Find a method by words

Credentials come from the environment.

Exit codes:
  0   done
  2   wrong use: an unknown or missing option
  5   the service found no such record (404)
  130 interrupted with Ctrl+C
`;

const create = `Usage: carillon crm deals create [options] <pipeline-id> [step-id]

Options:
  --name <string>     Name of the deal. (string, required)
  --price <number>    Amount of the deal. (number)
  -h, --help          display help for command
`;

describe('help is parsed', () => {
  test('with its commands, options, values, choices, defaults and other blocks', () => {
    expect(parseHelp(root)).toEqual({
      args: [],
      commands: ['crm', 'search'],
      flags: {
        '--sandbox': {
          about: 'use an embedded sandbox: no credentials, and nothing reaches the service',
          isRequired: false,
        },
        '--quiet': { about: 'write no notes', short: '-q', isRequired: false },
        '--output': expect.objectContaining({
          value: '<format>',
          choices: ['table', 'json', 'csv'],
          default: 'table on a terminal, else json',
        }),
        '--help': expect.objectContaining({ short: '-h' }),
      },
      blocks: {
        'Exit codes': {
          '0': 'done',
          '2': 'wrong use: an unknown or missing option',
          '5': 'the service found no such record (404)',
          '130': 'interrupted with Ctrl+C',
        },
      },
    });
  });

  test('with its arguments', () => {
    const { args, flags } = parseHelp(create);
    expect(args).toEqual([
      { name: 'pipeline-id', isRequired: true, isRepeated: false },
      { name: 'step-id', isRequired: false, isRepeated: false },
    ]);
    expect([flags['--name']?.isRequired, flags['--price']?.isRequired]).toEqual([true, false]);
  });

  test('and other text is an error instead of empty help', () => {
    expect(() => parseHelp('Unknown command.')).toThrow('This is not the help');
    expect(() => parseHelp('Usage: x\n\nOptions:\n  strange\n')).toThrow('This is not an option');
  });
});

const helps = {
  carillon: parseHelp(root),
  'carillon crm': parseHelp('Usage: carillon crm [options] [command]\n'),
  'carillon crm deals': parseHelp('Usage: carillon crm deals [options] [command]\n'),
  'carillon crm deals create': parseHelp(create),
  'carillon search': parseHelp('Usage: carillon search [options] <words...>\n'),
  'carillon-sandbox': parseHelp(helpOf(sandboxCommand('carillon-sandbox'))),
  'carillon-jobs run': parseHelp(helpOf(runCommandOf('carillon-jobs run'))),
  'carillon-mcp': parseHelp(helpOf(mcpCommand('carillon-mcp'))),
};

const base: Commands = {
  helps,
  jobValues: {
    'export-contacts --detail': ['attributes', 'deals', 'payments'],
    'export-deals --detail': ['comments', 'contacts'],
  },
  tools: [
    {
      name: 'read',
      description: 'Calls a method that reads.',
      inputSchema: {
        type: 'object',
        required: ['method'],
        properties: {
          method: { type: 'string' },
          format: { type: 'string', enum: ['json', 'text'] },
          fields: { type: 'array', items: { type: 'string' } },
        },
      },
      annotations: { readOnlyHint: true, destructiveHint: false },
    },
    { name: 'send', description: 'Sends.', inputSchema: { type: 'object' }, annotations: { openWorldHint: true } },
  ],
  tokens: 1_500,
  llms: { methods: ['crm.deals.get', 'crm.deals.list'], links: ['AGENTS.md'], characters: 9_000 },
};

/** The help of a command in the sample. */
function help(data: Commands, line: keyof typeof helps): Help {
  return data.helps[line] ?? expect.unreachable();
}

function flag(data: Commands, line: keyof typeof helps, name: string) {
  return help(data, line).flags[name] ?? expect.unreachable();
}

function input(data: Commands) {
  const schema = data.tools[0]?.inputSchema ?? expect.unreachable();
  return { schema, properties: schema.properties ?? expect.unreachable() };
}

type Change = Mutation<Commands>;
const sandboxFlags = ['--seed', '--start', '--data', '--strict', '--fault', '--worlds'];
const runFlags = ['--detail', '--title', '--repair', '--to-unsubscribed'];

const breaking: Change[] = [
  ...forEach(Object.keys(helps), 'a command is removed', (data: Commands, line) => delete data.helps[line]),
  ...forEach(sandboxFlags, 'an option of the sandbox is removed', (data: Commands, name) => {
    delete help(data, 'carillon-sandbox').flags[name];
  }),
  ...forEach(runFlags, 'an option of jobs is removed', (data: Commands, name) => {
    delete help(data, 'carillon-jobs run').flags[name];
  }),
  ...forEach(['--seed', '--data'], 'an option takes no value any more', (data: Commands, name) => {
    delete flag(data, 'carillon-sandbox', name).value;
  }),
  ...forEach(['--strict', '--quiet'], 'an option needs a value now', (data: Commands, name) => {
    flag(data, 'carillon-sandbox', name).value = '<value>';
  }),
  ...forEach(['--seed', '--data'], 'an option becomes required', (data: Commands, name) => {
    flag(data, 'carillon-sandbox', name).isRequired = true;
  }),
  [
    'a new option is required',
    (data) => {
      help(data, 'carillon-sandbox').flags['--account'] = { about: '', value: '<name>', isRequired: true };
    },
  ],
  ['a short form is removed', (data) => delete flag(data, 'carillon', '--quiet').short],
  ['a value of an option is removed', (data) => flag(data, 'carillon', '--output').choices?.pop()],
  ['an option accepts only some values now', (data) => (flag(data, 'carillon-sandbox', '--tariff').choices = ['paid'])],
  ...forEach(['0', '5', '130'], 'an exit code is removed', (data: Commands, code) => {
    delete help(data, 'carillon').blocks['Exit codes']?.[code];
  }),
  [
    'two exit codes change places',
    (data) => {
      Object.assign(help(data, 'carillon').blocks['Exit codes'] ?? {}, {
        2: base.helps.carillon?.blocks['Exit codes']?.[5],
      });
    },
  ],
  ...forEach(['send-emails <file>', 'export-deals <file>'], 'a ready-made job is removed', (data: Commands, job) => {
    delete help(data, 'carillon-jobs run').blocks.Jobs?.[job];
  }),
  ...forEach(Object.keys(base.jobValues), 'a value of an option of a job is removed', (data: Commands, place) => {
    data.jobValues[place]?.pop();
  }),
  [
    'an option of a job is for fewer jobs',
    (data) => {
      flag(data, 'carillon-jobs run', '--message').about = 'send-emails: JSON file';
    },
  ],
  [
    'an argument is added',
    (data) => {
      help(data, 'carillon crm deals create').args.splice(0, 0, { name: 'id', isRequired: true, isRepeated: false });
    },
  ],
  ['an argument is removed', (data) => help(data, 'carillon crm deals create').args.pop()],
  ['arguments change places', (data) => help(data, 'carillon-jobs run').args.reverse()],
  [
    'a list of arguments becomes one',
    (data) => {
      help(data, 'carillon search').args = [{ name: 'words', isRequired: true, isRepeated: false }];
    },
  ],
  ...forEach([0, 1], 'a tool is removed', (data: Commands, at) => data.tools.splice(at, 1)),
  ...forEach(['method', 'format', 'fields'], 'an input of a tool is removed', (data: Commands, name) => {
    delete input(data).properties[name];
  }),
  ['an input of a tool becomes required', (data) => input(data).schema.required?.push('format')],
  [
    'a new input of a tool is required',
    (data) => {
      input(data).properties.reason = { type: 'string' };
      input(data).schema.required?.push('reason');
    },
  ],
  ['an input of a tool has another type', (data) => (input(data).properties.method = { type: 'array' })],
  [
    'items of an input have another type',
    (data) => {
      input(data).properties.fields = { type: 'array', items: { type: 'object' } };
    },
  ],
  ['an input accepts fewer values', (data) => input(data).properties.format?.enum?.pop()],
  ...forEach(['readOnlyHint', 'destructiveHint'], 'a hint of a tool changes', (data: Commands, hint) => {
    Object.assign(data.tools[0]?.annotations ?? {}, { [hint]: hint === 'destructiveHint' });
  }),
  ['llms.txt lacks a method', (data) => data.llms.methods.pop()],
];

const harmless: Change[] = [
  ...forEach(['carillon crm deals archive', 'carillon-jobs list'], 'a new command', (data: Commands, line) => {
    data.helps[line] = parseHelp(create);
  }),
  ...forEach(sandboxFlags, 'another text of an option', (data: Commands, name) => {
    flag(data, 'carillon-sandbox', name).about = 'other words';
  }),
  ...forEach(['--token', '--log'], 'a new option', (data: Commands, name) => {
    help(data, 'carillon-sandbox').flags[name] = { about: '', isRequired: false };
  }),
  ...forEach(['--seed', '--currency'], 'another default', (data: Commands, name) => {
    flag(data, 'carillon-sandbox', name).default = 'another';
  }),
  ['another placeholder', (data) => (flag(data, 'carillon-sandbox', '--seed').value = '<count>')],
  ['an option is no longer required', (data) => (flag(data, 'carillon crm deals create', '--name').isRequired = false)],
  ['a new short form', (data) => (flag(data, 'carillon-sandbox', '--seed').short = '-s')],
  ['a new value of an option', (data) => flag(data, 'carillon', '--output').choices?.push('ndjson')],
  ['an option accepts any value now', (data) => delete flag(data, 'carillon', '--output').choices],
  ['a new exit code', (data) => Object.assign(help(data, 'carillon').blocks['Exit codes'] ?? {}, { 12: 'new' })],
  [
    'another text of an exit code',
    (data) => {
      Object.assign(help(data, 'carillon').blocks['Exit codes'] ?? {}, { 5: 'there is no such record' });
    },
  ],
  ['a new job', (data) => Object.assign(help(data, 'carillon-jobs run').blocks.Jobs ?? {}, { 'tag <file>': '' })],
  ...forEach(Object.keys(base.jobValues), 'a new value of an option of a job', (data: Commands, place) => {
    data.jobValues[place]?.push('files');
  }),
  [
    'an option of a job is for more jobs',
    (data) => {
      flag(data, 'carillon-jobs run', '--title').about = 'send-campaign, send-emails: name';
    },
  ],
  [
    'a new optional argument',
    (data) => {
      help(data, 'carillon-jobs run').args.push({ name: 'other', isRequired: false, isRepeated: false });
    },
  ],
  [
    'an argument is no longer required',
    (data) => {
      help(data, 'carillon-jobs run').args[1] = { name: 'file', isRequired: false, isRepeated: false };
    },
  ],
  [
    'another name of an argument',
    (data) => {
      help(data, 'carillon-jobs run').args[1] = { name: 'path', isRequired: true, isRepeated: false };
    },
  ],
  ['a new tool', (data) => data.tools.push({ ...(base.tools[1] ?? expect.unreachable()), name: 'run' })],
  ['another order of the tools', (data) => data.tools.reverse()],
  ...forEach([0, 1], 'another description of a tool', (data: Commands, at) => {
    Object.assign(data.tools[at] ?? {}, { description: 'Other words.' });
  }),
  ['a new optional input of a tool', (data) => (input(data).properties.limit = { type: 'integer' })],
  ['an input accepts more values', (data) => input(data).properties.format?.enum?.push('csv')],
  ['an input is no longer required', (data) => (input(data).schema.required = [])],
  ['another title of a tool', (data) => Object.assign(data.tools[0]?.annotations ?? {}, { title: 'Read' })],
  ...forEach([1_400, 1_600, 3_000], 'other tokens', (data: Commands, tokens) => (data.tokens = tokens)),
  ['llms.txt lists a new method', (data) => data.llms.methods.push('crm.deals.archive')],
  ['llms.txt links to another page', (data) => (data.llms.links = ['errors.md'])],
  ['llms.txt is longer', (data) => (data.llms.characters = 20_000)],
];

testMutations(base, compareCommands, { breaking, harmless });

test('a line tells authors of scripts what to change', () => {
  const next = structuredClone(base);
  delete next.helps['carillon-jobs run']?.flags['--title'];
  next.jobValues['export-deals --detail'] = ['contacts'];
  expect(compareCommands(base, next)).toEqual([
    {
      surface: 'commands',
      impact: 'break',
      place: 'carillon-jobs run --title',
      sentence: '`carillon-jobs run` no longer has the option `--title`.',
    },
    {
      surface: 'commands',
      impact: 'break',
      place: 'export-deals --detail values',
      sentence: 'The option `--detail` of the job export-deals no longer accepts comments. Choose contacts.',
    },
  ]);
});

test('a removed group of commands is one line', () => {
  const next = structuredClone(base);
  for (const line of Object.keys(next.helps)) if (line.startsWith('carillon crm')) delete next.helps[line];
  expect(compareCommands(base, next).map(({ place }) => place)).toEqual(['carillon crm']);
});

test('growth of more than 10 % is reported, but not as a break', () => {
  const next = structuredClone(base);
  next.tokens = 1_700;
  expect(compareCommands(base, next)).toMatchObject([{ impact: 'fix', place: 'tokens of the tools' }]);
  next.tokens = 1_640;
  expect(compareCommands(base, next)).toEqual([]);
});
