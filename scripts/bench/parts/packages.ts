import { specNames } from '../../spec/files.ts';

/** A package as a user takes it into a program. */
export interface Packaged {
  subject: string;
  /** What npm installs. `undefined` if the code is generated into the project. */
  name?: string;
  /** What the program imports. */
  entries: string[];
  /** Makes a client, as the package's documentation begins. */
  program: string;
}

const heyApi = specNames.map((name) => `./generated/${name}/index.js`);

export const packages: Packaged[] = [
  own('carillon by method', 'carillon', 'createClient'),
  own('carillon by method, CRM alone', 'carillon/crm', 'createCrmClient'),
  own('carillon by path', 'carillon/paths', 'createPathsClient'),
  {
    subject: '@hey-api/openapi-ts',
    entries: heyApi,
    program: heyApi
      .map((entry, index) => `import * as part${index} from '${entry}'; globalThis.part${index} = part${index};`)
      .join('\n'),
  },
  foreign('openapi-fetch', 'createClient', "createClient({ baseUrl: 'https://api.example.com' })"),
  foreign('ky', 'ky', "ky.create({ prefix: 'https://api.example.com' })"),
  foreign('axios', 'axios', "axios.create({ baseURL: 'https://api.example.com' })"),
  foreign('octokit', '{ Octokit }', "new Octokit({ auth: 'key' })"),
  foreign('resend', '{ Resend }', "new Resend('key')"),
  foreign('stripe', 'Stripe', "new Stripe('key')"),
  foreign('openai', 'OpenAI', "new OpenAI({ apiKey: 'key' })"),
];

function own(subject: string, entry: string, create: string): Packaged {
  const program = `import { ${create} } from '${entry}';
globalThis.api = ${create}({ baseUrl: 'https://api.example.com', auth: null });`;
  return { subject, name: 'carillon', entries: [entry], program };
}

function foreign(name: string, imported: string, create: string): Packaged {
  return {
    subject: name,
    name,
    entries: [name],
    program: `import ${imported} from '${name}';\nglobalThis.api = ${create};`,
  };
}
