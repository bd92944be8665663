import ts from 'typescript';

export interface Member {
  name: string;
  comment: string;
  tags: string[];
}

/** The fields and methods of interfaces with their comments, from the compiler's parser. */
export function membersOf(text: string): Member[] {
  const found: Member[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isPropertySignature(node) && !isGroup(node)) || ts.isMethodSignature(node)) {
      const comment = ts.getJSDocCommentsAndTags(node).map((part) => part.getText());
      const lines = comment.join('\n').replaceAll(/^\s*(\/\*\*|\*\/|\*) ?|\s*\*\/$/gm, '');
      const tags = ts.getJSDocTags(node).map((tag) => tag.tagName.text);
      found.push({ name: node.name.getText(), comment: lines.trim(), tags });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

/** `deals: { get(…): … }` groups methods and is not a field. */
function isGroup({ type }: ts.PropertySignature): boolean {
  const isMethodOrGroup = (member: ts.TypeElement): boolean =>
    ts.isMethodSignature(member) || (ts.isPropertySignature(member) && isGroup(member));
  return type !== undefined && ts.isTypeLiteralNode(type) && type.members.some(isMethodOrGroup);
}

/** The comment of the first member with a name, without comment markers. */
export function commentOf(text: string, name: string): string {
  const found = membersOf(text).find((member) => member.name === name);
  return found?.comment ?? `no ${name}`;
}
