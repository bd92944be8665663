import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { header } from './header.ts';
import type { SpecModel } from './operation-model.ts';

/**
 * `types.ts`: paths and operations by openapi-typescript, based on the generated models. A component schema is a
 * reference to its model, so each shape is declared once. The input differs from the spec in two ways: inline records
 * lose `additionalProperties: true`, because an index signature would let every misspelt property compile; and
 * `x-enumDescriptions` is removed, because openapi-typescript expects another form of it than the documentation tools. In
 * the output, optional parameters also accept `undefined`, like the parameters of methods.
 */
export async function generateTypes({ spec }: SpecModel): Promise<string> {
  const input: OpenAPI3 = JSON.parse(JSON.stringify(spec.document, withoutIndexSignature));
  const nodes = await openapiTS(input, {
    defaultNonNullable: false,
    silent: true,
    inject: "import type * as Models from './models.ts';\n",
    transform: (_, { path }) => modelReference(path),
  });
  return `${header(`spec/${spec.name}.yaml`)}\n${astToString(nodes.map(takeUndefined))}`;
}

/** Adds `undefined` to the types of optional parameters in queries and headers, for programs with `exactOptionalPropertyTypes`. */
function takeUndefined(root: ts.Node): ts.Node {
  const { factory } = ts;
  const visitor =
    (isQuery: boolean, context: ts.TransformationContext): ts.Visitor =>
    (node) => {
      const name = ts.isPropertySignature(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
      if (isQuery && ts.isPropertySignature(node) && node.questionToken && node.type) {
        const type = factory.createUnionTypeNode([
          node.type,
          factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
        ]);
        return factory.updatePropertySignature(node, node.modifiers, node.name, node.questionToken, type);
      }
      return ts.visitEachChild(node, visitor(isQuery || name === 'query' || name === 'header', context), context);
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
