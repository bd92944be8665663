import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';

const commentOfPaths = '/** The paths of the spec as openapi-typescript writes them, for openapi-fetch. */\n';

/**
 * `types.ts`: paths and operations by openapi-typescript, based on the generated models. A component schema is a reference to its
 * model, so each shape is declared once. The input differs from the spec in two ways: inline records lose
 * `additionalProperties: true`, because an index signature would let every misspelt property compile; and `x-enumDescriptions` is
 * removed, because openapi-typescript expects another form of it than the documentation tools. In the output, optional parameters
 * also accept `undefined`, like the parameters of methods; and each operation with an envelope states the path of its payload.
 */
export async function generateTypes({ spec, typeName, operations }: SpecModel): Promise<string> {
  const input: OpenAPI3 = JSON.parse(JSON.stringify(spec.openapi, withoutIndexSignature));
  const nodes = await openapiTS(input, {
    defaultNonNullable: false,
    silent: true,
    inject:
      "import type { PathsOf } from '../../src/shared/paths-of.ts';\nimport type * as Models from './models.ts';\n",
    transform: (_, { path }) => modelReference(path),
  });
  const payloads = new Map(operations.map(({ operationId, envelope }) => [operationId, envelope.keys.join('.')]));
  const changed = nodes.map((node) => addPayloads(takeUndefined(node), payloads));
  const text = astToString(changed).replace('export interface paths {', `${commentOfPaths}$&`);
  return `${header(`spec/${spec.name}.yaml`)}\n${text}
/** Every path of the spec: arguments, payload and metadata of a call by path. */
export interface ${typeName}Paths extends PathsOf<paths> {}
`;
}

/** Adds `payload`, such as `data.list`, to each operation with an envelope. */
function addPayloads(root: ts.Node, payloads: ReadonlyMap<string, string>): ts.Node {
  if (!ts.isInterfaceDeclaration(root) || root.name.text !== 'operations') return root;
  const { factory } = ts;
  const members = root.members.map((member) => {
    const keys = member.name && ts.isIdentifier(member.name) && payloads.get(member.name.text);
    if (!keys || !ts.isPropertySignature(member) || !member.type || !ts.isTypeLiteralNode(member.type)) return member;
    const type = factory.createLiteralTypeNode(factory.createStringLiteral(keys));
    const payload = factory.createPropertySignature(undefined, 'payload', undefined, type);
    const operation = factory.updateTypeLiteralNode(
      member.type,
      factory.createNodeArray([...member.type.members, payload]),
    );
    return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, operation);
  });
  const { modifiers, name, typeParameters, heritageClauses } = root;
  return factory.updateInterfaceDeclaration(root, modifiers, name, typeParameters, heritageClauses, members);
}

/**
 * Adds `undefined` to the types of optional parameters in queries, for programs with `exactOptionalPropertyTypes`. Removes
 * members such as `cookie?: never`, which editors would offer.
 */
function takeUndefined(root: ts.Node): ts.Node {
  const { factory } = ts;
  const visitor =
    (isInside: boolean, context: ts.TransformationContext): ts.Visitor =>
    (node) => {
      const name = ts.isPropertySignature(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
      const isQuery = isInside || name === 'query';
      const changed = ts.visitEachChild(node, visitor(isQuery, context), context);
      if (!ts.isPropertySignature(changed) || !changed.questionToken || !changed.type) return changed;
      if (changed.type.kind === ts.SyntaxKind.NeverKeyword) return undefined;
      if (!isQuery) return changed;
      const undefinedType = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
      const type = factory.createUnionTypeNode([changed.type, undefinedType]);
      return factory.updatePropertySignature(changed, changed.modifiers, changed.name, changed.questionToken, type);
    };
  const transform: ts.TransformerFactory<ts.Node> = (context) => (node) =>
    ts.visitEachChild(node, visitor(false, context), context);
  return ts.transform(root, [transform]).transformed[0] ?? root;
}

/** `Models.Deal` for `#/components/schemas/Deal`; `undefined` leaves the type to openapi-typescript. */
function modelReference(path: string | undefined): ts.TypeNode | undefined {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(path ?? '')?.[1];
  if (!name) return undefined;
  const { factory } = ts;
  const qualified = factory.createQualifiedName(factory.createIdentifier('Models'), name);
  return factory.createTypeReferenceNode(qualified);
}

function withoutIndexSignature(key: string, value: unknown): unknown {
  if (key === 'x-enumDescriptions') return undefined;
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  if (!('additionalProperties' in value) || value.additionalProperties !== true) return value;
  const { additionalProperties, ...closed } = value;
  return closed;
}
