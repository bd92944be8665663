/**
 * A TypeDoc plugin for the pages of the packages, which `starlight-typedoc` writes. It shortens them, checks that every
 * public name has a comment, and adds titles and descriptions.
 */
import {
  type Application,
  Comment,
  Converter,
  type DeclarationReflection,
  IntrinsicType,
  LiteralType,
  PageEvent,
  type ProjectReflection,
  Reflection,
  ReflectionKind,
  ReflectionType,
} from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { describeSource } from '../../scripts/spec/source.ts';

/** The rules and choices of the sandbox have their own page. */
const elsewhere: ReadonlySet<string> = new Set(['rules', 'choices']);
const rulesPage = '/reference/rules/';

const overview = {
  title: 'The packages',
  description: 'Every module that the packages export, with its functions, classes and types.',
};

/** Called by TypeDoc when it loads the plugin. */
export function load(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    leaveOutInherited(project);
    leaveOutEntries(project);
    documentConstants(project);
    shortenPathTables(project);
  });
  // Validates here, because TypeDoc only prints errors that a renderer throws.
  app.converter.on(Converter.EVENT_END, ({ project }) => validate(app, project));
  // Runs after starlight-typedoc, which sets the module's name as the title.
  app.renderer.on(PageEvent.BEGIN, (page) => page instanceof MarkdownPageEvent && describePage(page), -100);
}

/** @throws if a public name has no comment, a type is used but not exported, or a link in a comment has no target */
function validate(app: Application, project: ProjectReflection): void {
  app.options.setValue('intentionallyNotDocumented', partsWithoutComment(project));
  app.validate(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0)
    throw new Error('The comments of public names are not complete: see the messages above');
}

function describePage(page: MarkdownPageEvent): void {
  const { model } = page;
  if (!(model instanceof Reflection)) return;
  page.frontmatter = {
    ...page.frontmatter,
    ...(model.isProject() ? overview : { title: titleOf(model), description: describe(model) }),
    tableOfContents: { maxHeadingLevel: 3 },
  };
}

/** Titles of namespaces begin with their module's name. */
function titleOf(model: Reflection): string {
  return model.kindOf(ReflectionKind.Namespace) && model.parent ? `${model.parent.name}: ${model.name}` : model.name;
}

/** The first paragraph of a comment, as text. */
function describe(model: Reflection): string {
  const [paragraph = ''] = (model.comment ? Comment.combineDisplayParts(model.comment.summary) : '').split(/\n\s*\n/);
  return `${titleOf(model)}: ${paragraph.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()}`;
}

/**
 * Removes inherited members from interfaces. The page of a client links to its methods and paths, which list them. Error
 * classes keep inherited members, because users look for them there.
 */
function leaveOutInherited(project: ProjectReflection): void {
  for (const reflection of declarations(project, ReflectionKind.Interface)) {
    for (const member of reflection.children?.filter(({ flags }) => flags.isInherited) ?? []) {
      project.removeReflection(member);
    }
  }
}

/** Omits the entries of constants that have their own page. */
function leaveOutEntries(project: ProjectReflection): void {
  for (const constant of declarations(project, ReflectionKind.Variable)) {
    if (!elsewhere.has(constant.name)) continue;
    if (constant.type instanceof ReflectionType) project.removeReflection(constant.type.declaration);
    constant.type = new IntrinsicType('object');
    delete constant.defaultValue;
    constant.comment?.summary.push({ kind: 'text', text: `\n\n[Rules and choices](${rulesPage}) lists its entries.` });
  }
}

/** Documents the entries of constants by their values, because error codes are sentences. */
function documentConstants(project: ProjectReflection): void {
  for (const constant of declarations(project, ReflectionKind.Variable)) {
    for (const entry of membersOf(constant)) {
      const parts = membersOf(entry);
      const text = textOf(entry) ?? textOf(parts.find(({ name }) => name === 'text'));
      if (text === undefined || entry.hasComment()) continue;
      const source = textOf(parts.find(({ name }) => name === 'source'));
      entry.comment = new Comment([
        { kind: 'text', text: source ? `${text}\n\nSource: ${describeSource(source)}.` : text },
      ]);
    }
  }
}

/**
 * Removes the comments inside the entries of the tables of paths. They repeat the comments of the methods' parameters, and
 * would make each entry as long as a page.
 */
function shortenPathTables(project: ProjectReflection): void {
  for (const part of partsOf(project, pathEntries(project))) delete part.comment;
}

/** Full names of parts of constants and path tables that need no comment, because their entry has one. */
function partsWithoutComment(project: ProjectReflection): string[] {
  const entries = [...pathEntries(project), ...declarations(project, ReflectionKind.Variable).flatMap(membersOf)];
  const parts = partsOf(
    project,
    entries.filter((entry) => entry.hasComment()),
  );
  // Branches of a union have parts with the same name.
  return [...new Set(parts.filter((part) => !part.hasComment()).map((part) => part.getFriendlyFullName()))];
}

/** The entries of the generated path tables: one for each operation, two levels below the interface. */
function pathEntries(project: ProjectReflection): DeclarationReflection[] {
  const tables = declarations(project, ReflectionKind.Interface).filter(({ name }) => name.endsWith('Paths'));
  return tables.flatMap(({ children = [] }) => children.flatMap(membersOf));
}

/** All properties inside the given ones, at any depth. */
function partsOf(project: ProjectReflection, entries: Reflection[]): DeclarationReflection[] {
  const above = new Set<Reflection>(entries);
  const isBelow = ({ parent }: Reflection): boolean => parent !== undefined && (above.has(parent) || isBelow(parent));
  return declarations(project, ReflectionKind.Property).filter(isBelow);
}

function declarations(project: ProjectReflection, kind: ReflectionKind): DeclarationReflection[] {
  return project.getReflectionsByKind(kind).filter((reflection) => reflection.isDeclaration());
}

function membersOf({ type }: DeclarationReflection): DeclarationReflection[] {
  return type instanceof ReflectionType ? (type.declaration.children ?? []) : [];
}

function textOf(member: DeclarationReflection | undefined): string | undefined {
  const value = member?.type instanceof LiteralType ? member.type.value : undefined;
  return typeof value === 'string' ? value : undefined;
}
