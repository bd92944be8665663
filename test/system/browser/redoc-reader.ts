import type { Locator, Page } from 'playwright-core';
import { redocAnchor } from '../../../scripts/docs/addresses.ts';
import type { SpecOperation } from '../../../scripts/spec/model.ts';

/** Uses a Redoc page as a reader does, only with clicks and keys. */
export class RedocReader {
  readonly page: Page;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  /** Opens the operation's group in the menu, if it is closed, and then its section. */
  async open(operation: SpecOperation): Promise<void> {
    const { summary, tags } = operation.operation;
    const entry = this.entry(operation);
    if ((await entry.count()) === 0 || !(await entry.isVisible())) {
      await this.click(this.page.locator('.menu-item-type-group > a').getByText(tags[0] ?? '', { exact: true }));
      await entry.waitFor();
    }
    await this.click(entry);
    await this.section(operation).getByRole('heading', { level: 2 }).filter({ hasText: summary }).waitFor();
  }

  /** The operation in the menu. */
  entry(operation: SpecOperation): Locator {
    return this.page.locator(`.menu-item-type-operation > a[href="${redocAnchor(operation)}"]`);
  }

  /** The operation's part of the page. */
  section(operation: SpecOperation): Locator {
    return this.page.locator(`[data-section-id="${redocAnchor(operation).slice(1)}"]`);
  }
}
