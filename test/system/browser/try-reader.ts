import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { barIds } from '../../../scripts/docs/try/ids.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';

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
    await this.goTo(operation);
    await this.testButton(operation).click();
    await this.dialog.waitFor();
  }

  /** Goes to an operation by the menu of the document that is shown. */
  async goTo({ operation: { summary, tags } }: SpecOperation): Promise<void> {
    const entry = this.entry(summary);
    if (!(await entry.isVisible())) await this.press(this.entry(tags[0] ?? ''));
    await this.press(entry);
    await this.page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
  }

  /** An entry of the menu. That of an operation also tells its method. */
  entry(name: string): Locator {
    const text = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const menu = this.page.getByRole('complementary');
    return menu.getByRole('link', { name: new RegExp(`^${text}(?: HTTP Method: .*)?$`) }).first();
  }

  async press(target: Locator): Promise<void> {
    await target.click();
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
    return variables.getByRole('textbox', { name: 'Value' }).first();
  }

  /** Opens the page that shows what the sandbox holds. */
  async seeInside(): Promise<FrameLocator> {
    await this.page.getByText('See inside').click();
    const inside = this.page.frameLocator('iframe');
    await inside.getByRole('heading', { name: 'Records' }).waitFor();
    return inside;
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
    await expect.poll(() => this.status.textContent(), { timeout: 10_000 }).toMatch(text);
  }
}

/** The same with the keyboard alone. */
export class KeyboardReader extends TryReader {
  override async open(operation: SpecOperation): Promise<void> {
    await this.goTo(operation);
    await this.tabTo(this.testButton(operation));
    await this.page.keyboard.press('Enter');
    await this.dialog.waitFor();
  }

  override async press(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
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
