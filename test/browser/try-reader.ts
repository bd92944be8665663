import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { barIds } from '../../scripts/docs/try/ids.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';

const operations = new Map(
  specNames.flatMap((name) => listOperations(loadSpec(name))).map((one) => [one.operationId, one]),
);

/** An operation of the specs, by its ID. */
export function operation(id: string): SpecOperation {
  const found = operations.get(id);
  if (!found) throw new Error(`No spec has ${id}`);
  return found;
}

/** How a reader works with the page "Try it": by click here, and by key in `KeyboardReader`. */
export class TryReader {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'API Client' });
  }

  get status(): Locator {
    return this.page.locator(`#${barIds.status}`);
  }

  /** Opens an operation's section and its console. */
  async open(operation: SpecOperation): Promise<void> {
    await this.search(operation);
    await this.testButton(operation).click();
    await this.dialog.waitFor();
  }

  async search({ operation: { summary } }: SpecOperation): Promise<void> {
    await this.page.getByRole('button', { name: /Open Search/ }).click();
    await this.page.getByRole('combobox', { name: 'Enter search query' }).fill(summary);
    await this.page.getByRole('option', { name: `Operation: ${summary} ,` }).click();
    await this.page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
  }

  async send(): Promise<void> {
    await this.dialog.getByRole('button', { name: /^Send \w+ request to / }).click();
  }

  async close(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Close Client' }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  async fillVariable(value: string): Promise<void> {
    await this.variable.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(value);
  }

  /** The value of the first variable of the path. */
  get variable(): Locator {
    const variables = this.dialog.getByRole('region', { name: 'Variables' });
    return variables.getByRole('combobox', { name: 'Value' }).first();
  }

  testButton({ method, base, path }: SpecOperation): Locator {
    const name = `Test Request (${method.toLowerCase()} ${base}${path})`;
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits for an answer with this status, and reads its body. */
  async readAnswer(status: number): Promise<string> {
    const response = this.dialog.getByRole('region', { name: 'Response', exact: true });
    await response.getByRole('link', { name: String(status) }).waitFor();
    const body = response.getByRole('region', { name: 'Body' }).locator('.cm-content');
    return (await body.textContent()) ?? '';
  }

  /** The headers of the answer, as the console shows them. */
  async readHeaders(): Promise<string> {
    const headers = this.dialog.getByRole('region', { name: /^Response Headers/ });
    await headers.getByRole('button', { name: /^Response Headers/ }).click();
    const rows = headers.getByRole('row');
    await rows.first().waitFor();
    return (await rows.allTextContents()).join('\n');
  }

  /** The bar's line on what happened last. */
  async expectStatus(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.status.textContent()).toMatch(text);
  }
}

/** The same with the keyboard alone. */
export class KeyboardReader extends TryReader {
  override async open(operation: SpecOperation): Promise<void> {
    await this.search(operation);
    await this.tabTo(this.testButton(operation));
    await this.page.keyboard.press('Enter');
    await this.dialog.waitFor();
  }

  override async search({ operation: { summary } }: SpecOperation): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    await this.page.getByRole('combobox', { name: 'Enter search query' }).waitFor();
    await this.page.keyboard.type(summary);
    await this.page.getByRole('option', { name: `Operation: ${summary} ,` }).waitFor();
    await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
  }

  override async send(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+Enter');
  }

  override async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.dialog.waitFor({ state: 'hidden' });
  }

  override async fillVariable(value: string): Promise<void> {
    await this.tabTo(this.variable);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(value);
  }

  /** Presses Tab until the focus is there. */
  async tabTo(target: Locator, most = 600): Promise<void> {
    // Looked up again only where the page replaced it: on a page of this size, finding a role takes longer than a key.
    let element = await target.first().elementHandle();
    for (let presses = 0; presses < most; presses += 1) {
      const place = await element?.evaluate((one) => (one.isConnected ? one === document.activeElement : 'gone'));
      if (place === true) return;
      if (place === 'gone') element = await target.first().elementHandle();
      else await this.page.keyboard.press('Tab');
    }
    throw new Error(`${most} presses of Tab do not lead to ${target}`);
  }
}
