import { type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc';
import type { Entry } from './entry.ts';

/** Entries that the generator writes: their own members are the fields of the specs, which have entries already. */
const generated = /^carillon\/(?:crm|messaging|email|paths|validate)$/;

/**
 * An entry for each public name of the package, and one for each member of the types that are written by hand.
 *
 * @param addressOf - address of a page or a part of it, relative to the root of the site
 */
export function packageNames(
  project: ProjectReflection,
  addressOf: (reflection: DeclarationReflection) => string,
): Entry[] {
  return (project.children ?? []).flatMap((module) =>
    (module.children ?? [])
      .filter(isDeclared)
      .flatMap((name) => [
        nameEntry(name, module.name),
        ...(generated.test(module.name)
          ? []
          : (name.children ?? []).filter(isMember).map((member) => nameEntry(member, name.name))),
      ]),
  );

  function nameEntry(reflection: DeclarationReflection, from: string): Entry {
    const { name, kind } = reflection;
    return {
      kind: 'package',
      title: isMember(reflection) ? `${from}.${name}` : name,
      place: `${ReflectionKind.singularString(kind)} · ${from}`,
      names: isMember(reflection) ? [name, `${from}.${name}`] : [name],
      text: summaryOf(reflection),
      href: addressOf(reflection),
    };
  }
}

function isDeclared({ kind }: DeclarationReflection): boolean {
  return kind !== ReflectionKind.Reference;
}

function isMember({ kind, flags }: DeclarationReflection): boolean {
  return (kind === ReflectionKind.Property || kind === ReflectionKind.Method) && !flags.isInherited;
}

/** The first paragraph of the comment. */
function summaryOf({ comment, signatures = [] }: DeclarationReflection): string {
  const parts = (comment ?? signatures[0]?.comment)?.summary ?? [];
  const text = parts.map((part) => part.text.replace(/^`|`$/g, '')).join('');
  return (text.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}
