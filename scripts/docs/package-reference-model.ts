import {
  Comment,
  type DeclarationReflection,
  LiteralType,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  ReflectionType,
} from 'typedoc';
import { sourceText } from '../generate/schema-docs.ts';

/**
 * Removes inherited members from interfaces. The page of a client links to the pages of its methods and paths, which list
 * them. Error classes keep inherited members, because users look for them there.
 */
export function leaveOutInherited(project: ProjectReflection): void {
  for (const reflection of declarations(project, ReflectionKind.Interface)) {
    for (const member of reflection.children?.filter(({ flags }) => flags.isInherited) ?? []) {
      project.removeReflection(member);
    }
  }
}

/** Documents the entries of constants by their values, because rules, choices and error codes are sentences. */
export function documentConstants(project: ProjectReflection): void {
  for (const constant of declarations(project, ReflectionKind.Variable)) {
    for (const entry of membersOf(constant)) {
      const parts = membersOf(entry);
      const text = textOf(entry) ?? textOf(parts.find(({ name }) => name === 'text'));
      if (text === undefined || entry.hasComment()) continue;
      const source = textOf(parts.find(({ name }) => name === 'source'));
      entry.comment = new Comment([{ kind: 'text', text: source ? `${text}\n\n${sourceText(source)}` : text }]);
    }
  }
}

/**
 * Removes the comments inside the entries of the tables of paths. They repeat the comments of the methods' parameters, and
 * would make each entry as long as a page.
 */
export function shortenPathTables(project: ProjectReflection): void {
  for (const part of partsOf(project, pathEntries(project))) delete part.comment;
}

/** Full names of parts of constants and tables of paths that need no comment, because their entry has one. */
export function partsWithoutComment(project: ProjectReflection): string[] {
  const entries = [...pathEntries(project), ...declarations(project, ReflectionKind.Variable).flatMap(membersOf)];
  const parts = partsOf(
    project,
    entries.filter((entry) => entry.hasComment()),
  );
  // Branches of a union have parts with the same name.
  return [...new Set(parts.filter((part) => !part.hasComment()).map((part) => part.getFriendlyFullName()))];
}

/** The entries of the generated tables of paths: one for each operation, two levels below the interface. */
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
