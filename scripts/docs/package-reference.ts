import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, Converter, OptionDefaults, PageEvent, RendererEvent, type TypeDocOptions } from 'typedoc';
import { readStyle } from './assets.ts';
import { frameStyles, type Page } from './layout.ts';
import { packageEntries } from './package-entries.ts';
import { PackageLogger } from './package-reference-logger.ts';
import {
  documentConstants,
  leaveOutInherited,
  partsWithoutComment,
  shortenPathTables,
} from './package-reference-model.ts';
import { fixPage, joinSite, PackageTheme } from './package-reference-theme.ts';
import type { Entry } from './search/entry.ts';
import { packageNames } from './search/package-names.ts';

const folder = 'package';
const theme = 'carillon';

export const packagePage: Page = { file: `${folder}/index.html`, label: 'Package' };

/** Types that signatures use, but that users neither create nor inspect. */
const internalTypes = ['CrmOperationId', 'EmailOperationId', 'MessagingOperationId'];

export interface PackageReference {
  /** Number of modules that users import. */
  entries: number;
  names: Entry[];
}

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
 * @returns the entries of the package, and what the search of the site can find in them
 */
export async function buildPackageReference(site: string, work: string, pages: Page[]): Promise<PackageReference> {
  const styles = join(work, 'package.css');
  await writeFile(styles, [...frameStyles, 'typedoc.css'].map(readStyle).join('\n'));
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
  let names: Entry[] = [];
  app.renderer.on(RendererEvent.END, ({ project }) => {
    // TypeDoc forgets the addresses after this event.
    const { router } = app.renderer;
    names = packageNames(project, (reflection) => `${folder}/${router?.getFullUrl(reflection)}`);
  });

  const project = await app.convert();
  if (project) {
    app.options.setValue('intentionallyNotDocumented', partsWithoutComment(project));
    app.validate(project);
  }
  if (!project || logger.problems.length > 0) throw new PackageReferenceError(logger.problems.join('\n'));
  await app.generateOutputs(project);
  // The site has one search, which finds these names too.
  await rm(join(site, folder, 'assets', 'search.js'));
  if (logger.problems.length > 0) throw new PackageReferenceError(logger.problems.join('\n'));
  return { entries: project.children?.length ?? 0, names };
}

const options: TypeDocOptions = {
  name: 'Carillon: the packages',
  theme,
  entryPoints: packageEntries().map(({ file }) => file),
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
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
