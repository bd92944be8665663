import { products, specNames } from '../../spec/files.ts';
import { pagePaths, redocPath } from '../addresses.ts';
import { blocks, code, link, searchWords, table } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';
import { listDownloads } from '../starlight/download-files.ts';

/** Downloads of the specs and of files derived from them. */
export function downloadsPage(): SitePage {
  return {
    path: pagePaths.downloads,
    title: 'Downloads',
    description:
      'The OpenAPI files as YAML and JSON, how Postman imports them, Redoc pages, and files for language models.',
    body: blocks(
      searchWords([
        'openapi',
        'swagger',
        'download',
        'postman',
        'insomnia',
        'python',
        'java',
        'go',
        'php',
        'generator',
      ]),
      'The OpenAPI files describe the whole API, with its limits, rules, error codes and gaps. With a generator such as OpenAPI Generator, they give a client in Python, Java, Go or another language.',
      table(
        ['File', 'Contents'],
        listDownloads().map(({ file, title, what }) => [link(title, `/${file}`), what]),
      ),
      '## Postman',
      'Postman imports each YAML file: *Import*, then the file. In the settings of the import, choose *Example* for parameters, so that requests have the values of the spec. Then set two variables of the collection: `base_url` to the address of [the sandbox](/guides/sandbox/#as-a-dev-server), `http://127.0.0.1:4012`, and `bearerToken` to any text. For the service, set its address and your key. Insomnia and Bruno import the files, too.',
      '## Redoc pages',
      'Each page is one file of 0.7 MB, compressed, which also opens from disk. At 1.6 Mbit/s, the first visit takes about 6 s. The page of an operation in these docs takes less than one.',
      table(
        ['Page', 'File on the site'],
        specNames.map((name) => [
          link(products[name].label, redocPath(name)),
          code(`${redocPath(name).slice(1)}index.html`),
        ]),
      ),
    ),
  };
}
