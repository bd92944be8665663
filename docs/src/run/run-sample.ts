import type { InspectorMembers } from 'carillon-sandbox/inspector';
import type { OutputLine, ShownError } from './messages.ts';
import { PageSandbox, type RunOutcome } from './page-sandbox.ts';
import { styles } from './styles.ts';

declare global {
  interface ImportMeta {
    /** Vite replaces it. */
    readonly env: { readonly BASE_URL: string };
  }
}

/** Shared by all samples of a page. */
const sandbox = new PageSandbox();
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

/** Shows the sandbox's state below the sample that ran last. */
let inspector: (HTMLElement & InspectorMembers) | undefined;

/** Default deadline of a program, in milliseconds. */
const defaultDeadline = 10_000;

/** `<run-sample>`: a sample that readers can edit and run. */
export class RunSample extends HTMLElement {
  readonly #code = element('slot');
  readonly #editor = Object.assign(element('textarea'), { hidden: true, spellcheck: false, ariaLabel: 'Code' });
  readonly #run = button('Run', () => void this.#start());
  readonly #stop = button('Stop', () => sandbox.stop());
  readonly #edit = button('Edit', () => this.#toggleEditor());
  readonly #reset = button('Reset data', () => this.#resetData());
  readonly #status = Object.assign(element('p'), { className: 'status', role: 'status' });
  readonly #result = Object.assign(element('section'), { className: 'result', ariaLabel: 'Result', hidden: true });
  readonly #output = Object.assign(element('div'), {
    className: 'output',
    tabIndex: 0,
    role: 'log',
    ariaLabel: 'Output',
  });
  readonly #failure = Object.assign(element('div'), { className: 'failure' });
  readonly #inside = Object.assign(element('div'), { className: 'inside' });
  #leave: AbortController | undefined;

  constructor() {
    super();
    const bar = Object.assign(element('div'), { className: 'bar' });
    this.#run.className = 'main';
    bar.append(this.#run, this.#edit, this.#reset, this.#stop, this.#status);
    this.#result.append(this.#output, this.#failure, this.#inside);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#code, this.#editor, bar, this.#result);
    this.#editor.addEventListener('input', () => this.#fitEditor());
    this.#editor.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.#start();
    });
  }

  connectedCallback(): void {
    this.#leave = new AbortController();
    sandbox.addEventListener('change', () => this.#showButtons(), { signal: this.#leave.signal });
    this.#status.textContent ||= 'Runs here, in a sandbox. Nothing is sent.';
    this.#showButtons();
  }

  disconnectedCallback(): void {
    this.#leave?.abort();
  }

  /** The program as it runs. Differs from the shown code if that has types. */
  get #shipped(): string {
    return this.getAttribute('program') ?? readCode(this);
  }

  get #program(): string {
    return this.#editor.hidden ? this.#shipped : this.#editor.value;
  }

  async #start(): Promise<void> {
    if (sandbox.isRunning) return;
    const deadline = Number(this.getAttribute('deadline') ?? defaultDeadline / 1_000) * 1_000;
    this.#output.replaceChildren();
    this.#failure.replaceChildren();
    this.#result.hidden = true;
    this.#say('Loading the sandbox …');
    const hadChanges = sandbox.hasChanges;
    const outcome = await sandbox.run(this.#program, {
      deadline,
      loaded: () => this.#say('Running …'),
      print: (line) => this.#print(line),
    });
    this.#report(outcome, deadline, hadChanges);
    if (outcome.kind === 'unavailable') return;
    // A program with a sandbox of its own does not use the page's.
    if (!this.#program.includes('createSandbox(')) await this.#showInside();
    this.#bringIntoView();
  }

  #report(outcome: RunOutcome, deadline: number, hadChanges: boolean): void {
    const kept = 'Its changes to the data are kept.';
    const earlier = hadChanges ? ' Earlier runs may have changed the data: Reset data restores them.' : '';
    switch (outcome.kind) {
      case 'finished':
        if (outcome.error) this.#failure.replaceChildren(errorBlock(outcome.error));
        this.#say(
          `${outcome.error ? 'Failed' : 'Finished'} after ${Math.round(outcome.milliseconds)} ms.${earlier}`,
          Boolean(outcome.error),
        );
        break;
      case 'stopped':
        this.#say(`Stopped. ${kept}`);
        break;
      case 'late':
        this.#say(`Stopped, because it took longer than ${deadline / 1_000} s. ${kept}`, true);
        break;
      case 'unavailable':
        this.#say(`The sandbox could not be started. ${outcome.reason}`, true);
        return;
    }
    this.#result.hidden = false;
    const isEmpty = this.#output.childElementCount === 0;
    if (isEmpty && this.#failure.childElementCount === 0) this.#print({ level: 'log', text: 'No output.' });
    this.#output.hidden = this.#output.childElementCount === 0;
  }

  #print({ level, text }: OutputLine): void {
    this.#result.hidden = false;
    this.#output.hidden = false;
    const line = element('pre');
    line.className = level;
    line.textContent = text;
    this.#output.append(line);
  }

  async #showInside(): Promise<void> {
    const { registerInspector } = await import('carillon-sandbox/inspector');
    inspector ??= new (registerInspector())();
    const rules = `${import.meta.env.BASE_URL}reference/rules/`;
    if (inspector.parentNode !== this.#inside) {
      inspector.links = { rules, choices: rules };
      inspector.sandbox = sandbox;
      this.#inside.append(inspector);
    }
    await inspector.refresh();
  }

  /** On a phone, the result is below the visible part of the page. */
  #bringIntoView(): void {
    if (this.#result.getBoundingClientRect().top > innerHeight * 0.6) this.#result.scrollIntoView();
  }

  #resetData(): void {
    sandbox.reset();
    this.#output.hidden = true;
    this.#failure.replaceChildren();
    this.#say('The sandbox has its initial data again.');
    if (inspector?.isConnected) void inspector.refresh();
  }

  #toggleEditor(): void {
    const isEditing = this.#editor.hidden;
    if (isEditing) this.#editor.value = this.#shipped;
    this.#editor.hidden = !isEditing;
    this.#code.hidden = isEditing;
    this.#edit.textContent = isEditing ? 'Discard changes' : 'Edit';
    this.#fitEditor();
    if (isEditing) this.#editor.focus();
  }

  #fitEditor(): void {
    this.#editor.rows = this.#editor.value.split('\n').length;
  }

  #showButtons(): void {
    const { isRunning } = sandbox;
    this.#run.disabled = isRunning;
    this.#reset.disabled = isRunning;
    this.#stop.hidden = !isRunning;
  }

  #say(text: string, isBad = false): void {
    this.#status.textContent = text;
    this.#status.className = isBad ? 'status bad' : 'status';
  }
}

/** The code of a rendered block. Expressive Code uses an element for each line, without line ends, also for "8 collapsed lines". */
function readCode(sample: HTMLElement): string {
  const lines = [...sample.querySelectorAll('.ec-line .code')]
    .filter((line) => !line.closest('summary'))
    .map(({ textContent }) => textContent?.replace(/\n$/, '') ?? '');
  return lines.length > 0 ? lines.join('\n') : (sample.querySelector('pre')?.textContent ?? '');
}

function errorBlock({ name, message, line, status, code, advice }: ShownError): HTMLElement {
  const facts = [
    line !== undefined && `line ${line}`,
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
  ];
  const block = element('pre');
  block.className = 'error';
  const named = [name, ...facts.filter((fact) => fact !== false)].join(' · ');
  block.textContent = [named, message, advice].filter(Boolean).join('\n');
  return block;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name] {
  return document.createElement(name);
}

function button(text: string, act: () => void): HTMLButtonElement {
  const created = Object.assign(element('button'), { type: 'button', textContent: text });
  created.addEventListener('click', act);
  return created;
}
