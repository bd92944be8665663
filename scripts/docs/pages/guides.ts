import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';
import type { SpecOperation } from '../../spec/model.ts';
import { guidePath, methodOf, operationPath, pagePaths } from '../addresses.ts';
import { adaptLinks, repositoryAddress } from '../guides/links.ts';
import { type Guide, guideFile, guidePages } from '../guides/read-guides.ts';
import { makeRunnable, titleFiles } from '../guides/runnable-programs.ts';
import { blocks, firstSentence, link, list, plainText, unsearched } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';
import { drawDiagram, picture } from '../markdown/pictures.ts';

const decisions = 'docs/decisions';

/** The hand-written pages: guides, decisions and the changelog. */
export function writtenPages(guides: readonly Guide[], operations: readonly SpecOperation[]): SitePage[] {
  const repository = repositoryAddress();
  const decisionFiles = readdirSync(join(repositoryRoot, decisions)).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const addresses = new Map([
    ...guidePages(),
    ...decisionFiles.map((name): [string, string] => [`${decisions}/${name}`, decisionPath(name)]),
    [`${decisions}/README.md`, '/project/decisions/'],
    ['CHANGELOG.md', pagePaths.changelog],
  ]);
  const adapt = (markdown: string, file: string): string => adaptLinks(markdown, file, addresses, repository);
  const written = (file: string, path: string, description?: string): SitePage => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    const [heading = '', lead = ''] = text.split(/\n{2,}/, 2);
    return {
      path,
      title: plainText(heading.replace(/^# /, '')),
      description: description ?? plainText(firstSentence(lead)),
      body: adapt(text.slice(heading.length).trim(), file),
      source: file,
    };
  };
  return [
    ...guides.map(
      (guide): SitePage => ({
        path: guidePath(guide.name),
        title: guide.title,
        description: plainText(guide.lead),
        body: blocks(
          titleFiles(makeRunnable(drawImages(adapt(guide.markdown, guideFile(guide.name))))),
          usedMethods(guide, operations),
        ),
        source: guideFile(guide.name),
      }),
    ),
    ...decisionFiles.map((name) => written(`${decisions}/${name}`, decisionPath(name))),
    {
      ...written(`${decisions}/README.md`, '/project/decisions/', 'Decisions about the project, and their reasons.'),
      body: blocks(
        'Each page says what was chosen, why, what it costs, and what was rejected.',
        list(
          decisionFiles.map((name) => {
            const [heading = ''] = readFileSync(join(repositoryRoot, decisions, name), 'utf8').split('\n', 1);
            return link(plainText(heading.replace(/^# /, '')), decisionPath(name));
          }),
        ),
      ),
    },
    written('CHANGELOG.md', pagePaths.changelog, 'What changed in each version.'),
  ];
}

/** `0006-two-formats.md` → `/project/decisions/0006-two-formats/` */
function decisionPath(name: string): string {
  return `/project/decisions/${name.slice(0, -'.md'.length)}/`;
}

/** Diagrams are inline, so that they follow the page's colours. Pictures have a file for each theme. */
function drawImages(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\(\.\.\/diagrams\/([\w-]+\.svg)\)/g, (_, caption: string, name: string) =>
      drawDiagram(name, caption),
    )
    .replace(/!\[([^\]]*)\]\(\.\.\/public\/pictures\/([\w-]+)-light\.webp\)/g, (_, caption: string, name: string) =>
      picture(name, caption),
    );
}

/** Links to the operations whose methods a guide names. */
function usedMethods({ methods }: Guide, operations: readonly SpecOperation[]): string {
  const used = operations.filter((operation) => methods.has(methodOf(operation)));
  if (used.length === 0) return '';
  const links = used.map(
    (operation) => `${link(`\`${methodOf(operation)}\``, operationPath(operation))}: ${operation.operation.summary}`,
  );
  return unsearched(blocks('## Methods of this guide', list(links)));
}
