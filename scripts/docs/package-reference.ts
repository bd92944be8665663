import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, Converter, OptionDefaults, PageEvent, type TypeDocOptions } from 'typedoc';
import { repositoryRoot } from '../spec/files.ts';
import { type Page, readTemplate } from './layout.ts';
import { packageEntries } from './package-entries.ts';
import { PackageLogger } from './package-reference-logger.ts';
import {
  documentConstants,
  leaveOutInherited,
  partsWithoutComment,
  shortenPathTables,
} from './package-reference-model.ts';
import { fixPage, joinSite, PackageTheme } from './package-reference-theme.ts';

const folder = 'package';
const theme = 'carillon';

export const packagePage: Page = { file: `${folder}/index.html`, label: 'Package' };

/** Types that signatures use, but that users neither create nor inspect. */
const internalTypes = [
  'PathEntry',
  'CrmState',
  'EmailState',
  'MessagingState',
  'Table',
  'StoredToken',
  'Saved',
  'SavedArea',
  'CrmOperationId',
  'EmailOperationId',
  'MessagingOperationId',
];

/** Thrown if comments in the sources are missing or wrong. */
export class PackageReferenceError extends Error {
  override name = 'PackageReferenceError';
}

/**
 * Writes the reference of the package into the site, generated from the comments of its public entries. A public name
 * without a comment, a link without a target, and a type that is used but not exported are errors.
 *
 * @param site - folder of the whole site
 * @param work - folder for temporary files
 * @param pages - pages of the site's header
 * @returns the number of names that each entry exports
 */
export async function buildPackageReference(site: string, work: string, pages: Page[]): Promise<Map<string, number>> {
  const styles = join(work, 'package.css');
  await writeFile(styles, `${readTemplate('shared.css')}\n${readTemplate('typedoc.css')}\n`);
  const logger = new PackageLogger();
  const app = await Application.bootstrap({ ...options, customCss: styles, out: join(site, folder) });
  app.logger = logger;
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    leaveOutInherited(project);
    documentConstants(project);
    shortenPathTables(project);
  });
  app.renderer.defineTheme(theme, PackageTheme);
  app.renderer.on(PageEvent.END, fixPage);
  joinSite(app.renderer, packagePage, pages);

  const project = await app.convert();
  if (project) {
    app.options.setValue('intentionallyNotDocumented', partsWithoutComment(project));
    app.validate(project);
  }
  if (!project || logger.problems.length > 0) throw new PackageReferenceError(logger.problems.join('\n'));
  await app.generateOutputs(project);
  if (logger.problems.length > 0) throw new PackageReferenceError(logger.problems.join('\n'));
  return new Map(project.children?.map(({ name, children = [] }) => [name, children.length]));
}

const options: TypeDocOptions = {
  name: 'Carillon: the package',
  theme,
  entryPoints: packageEntries().map(({ file }) => file),
  tsconfig: join(repositoryRoot, 'tsconfig.build.json'),
  // `npm run typecheck` does that.
  skipErrorChecking: true,
  readme: 'none',
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  hideGenerator: true,
  includeHierarchySummary: false,
  useFirstParagraphOfCommentAsSummary: true,
  // Written by openapi-typescript in the types of requests.
  blockTags: [...OptionDefaults.blockTags, '@description'],
  sort: ['kind', 'source-order'],
  kindSortOrder: ['Module', 'Function', 'Class', 'Variable', 'Interface', 'TypeAlias', 'Reference'],
  navigation: { includeGroups: true, excludeReferences: true },
  visibilityFilters: {},
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
  },
  intentionallyNotExported: internalTypes,
  customFooterHtml: 'This reference is rendered by TypeDoc (Apache 2.0). These pages load nothing from a network.',
};
