import { readResults, resultsFolder } from '../../bench/results.ts';
import { findNamedTests } from '../../spec/rule-tests.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { readGuides } from '../guides/read-guides.ts';
import type { SitePage } from '../markdown/page.ts';
import { benchmarksPage } from './benchmarks.ts';
import { documentsPage } from './documents.ts';
import { downloadsPage } from './downloads.ts';
import { errorsPage } from './errors.ts';
import { writtenPages } from './guides.ts';
import { homePage } from './home.ts';
import { methodsPage } from './methods.ts';
import { notDocumentedPage } from './not-documented.ts';
import { operationPage } from './operation.ts';
import { rulesPage } from './rules.ts';
import { unsupportedPage } from './unsupported.ts';

/** All pages, generated and hand-written. The first is the start page. */
export function listPages(references: readonly ProductReference[]): SitePage[] {
  const operations = references.flatMap((reference) => reference.operations);
  const guides = readGuides(operations);
  const results = readResults(resultsFolder);
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  return [
    homePage(references, guides, results),
    ...references.flatMap((reference) =>
      reference.operations.map((operation) => operationPage(operation, { reference, guides, byId })),
    ),
    methodsPage(references),
    errorsPage(references),
    rulesPage(references, findNamedTests()),
    notDocumentedPage(references),
    unsupportedPage(operations),
    downloadsPage(),
    documentsPage(references),
    benchmarksPage(results),
    ...writtenPages(guides, operations),
  ];
}
