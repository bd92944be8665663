import { apiErrorClass } from '../../../src/client/core/errors/api-error.ts';
import { capitalize } from '../../generate/typescript/names.ts';
import type { SpecOperation } from '../../spec/model.ts';
import { describeSource } from '../../spec/source.ts';
import { guidePath, methodOf, operationPath, pagePaths, rulePath } from '../addresses.ts';
import { collectErrorCodes, collectStatuses, type DocumentedCode } from '../facts/error-codes.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { blocks, code, factList, link, list } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** Advice by documented status. */
const statusAdvice: Readonly<Record<string, string>> = {
  404: 'Check the IDs in the path. If the client repeats a deletion after a lost response and gets a 404, the deletion counts as done.',
  422: `Fix the request: ${link('why it was rejected', `${guidePath('errors')}#why-was-it-rejected`)}, and the rules on the page of the operation.`,
};

export function adviceOn(status: string): string {
  return statusAdvice[status] ?? 'Read the rules of the operation.';
}

/** Every documented error code with an anchor, then the documented HTTP statuses. */
export function errorsPage(references: readonly ProductReference[]): SitePage {
  const codes = collectErrorCodes(references);
  return {
    path: pagePaths.errors,
    title: 'Error codes',
    description: 'The documented error codes and HTTP statuses of failures: what each means, and what to do about it.',
    body: blocks(
      `An error code tells you why the platform rejected a request. The client throws an ${code('ApiError')}, and ${code('error.code')} is the code as a string. The sandbox rejects the same requests with the same codes.`,
      `Codes are documented only for the creation of messaging-app campaigns. [Most failures are not documented](${pagePaths.gaps}#errors). [Errors](${guidePath('errors')}) shows how to handle any of them.`,
      ...codes.map(codeSection),
      '## HTTP statuses',
      'Operations that document the HTTP status of a failure, and the class of the error that the client throws:',
      ...[...collectStatuses(references)].map(([status, operations]) =>
        blocks(
          `### ${status}`,
          `${code(apiErrorClass(Number(status)).name)}. ${adviceOn(status)}`,
          list(operations.map(operationLink)),
        ),
      ),
    ),
  };
}

function codeSection({ code: number, meaning, rule, operations, advice }: DocumentedCode): string {
  return blocks(
    `## ${number}`,
    `**${capitalize(meaning)}**`,
    factList([
      ['What to do', advice],
      ['Rule', `${rule.text.trim()} (${link(rule.id, rulePath(rule.id))})`],
      ['Returned by', operations.map(operationLink).join(', ')],
      ['Source', describeSource(rule.source)],
    ]),
  );
}

/** A link to an operation's page, labelled with its method. */
export function operationLink(operation: SpecOperation): string {
  return `${link(operation.operation.summary, operationPath(operation))} (${code(methodOf(operation))})`;
}
