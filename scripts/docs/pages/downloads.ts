import { products, specNames } from '../../spec/files.ts';
import { pagePaths } from '../addresses.ts';
import { listDownloads } from '../downloads.ts';
import { blocks, code, link, searchWords, table } from '../markdown.ts';
import type { SitePage } from '../page.ts';
import { redocPath } from '../redoc-link.ts';

/** Downloads of the specs and of files derived from them. */
export function downloadsPage(): SitePage {
  return {
    path: pagePaths.downloads,
    title: 'Downloads',
    description:
      'The OpenAPI files as YAML and JSON, a Postman collection, Redoc pages, and files for language models.',
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
      '## Redoc pages',
      'Each page is one file, which also opens from disk.',
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
