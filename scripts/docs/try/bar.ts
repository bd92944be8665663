import type { LoggedRequest } from '../../../src/sandbox/index.ts';
import { barIds, rulesFile } from './ids.ts';
import { startInside } from './inside.ts';
import type { Change, PageSandbox } from './page-sandbox.ts';

/**
 * Connects the bar's buttons, clock and panel.
 *
 * @param page - the page inside, as markup
 */
export function startBar(sandbox: PageSandbox, page: string): void {
  const status = find(barIds.status);
  sandbox.onChange = (change) => {
    status.replaceChildren(...announce(change, sandbox));
    find(barIds.count).textContent = String(sandbox.requests.length);
    showTime(sandbox.now());
  };
  find(barIds.reset).addEventListener('click', () => sandbox.reset());
  find(barIds.clock).addEventListener('click', ({ target }) => {
    const milliseconds = target instanceof HTMLButtonElement ? Number(target.value) : 0;
    if (milliseconds > 0) sandbox.advance(milliseconds);
  });
  const panel = find(barIds.requests);
  startInside(sandbox, page, panel);
  closeOnEscape(panel);
  showTime(sandbox.now());
  setInterval(() => showTime(sandbox.now()), 1_000);
}

/** One line about the latest event. Screen readers announce it. */
function announce(change: Change, sandbox: PageSandbox): (string | HTMLElement)[] {
  if (change.kind === 'not sent') return [`Not sent: this page sends nothing to ${change.origin}.`];
  if (change.kind === 'clock') return [`The clock is at ${formatTime(sandbox.now())}.`];
  const last = sandbox.requests.at(-1);
  if (change.kind === 'reset') return ['Reset. The initial data is back.'];
  if (!last) return [introduction(sandbox)];
  return describeOutcome(last);
}

function introduction({ isKept }: PageSandbox): string {
  const kept = isKept ? 'A reload keeps the data' : 'A reload discards the data';
  return `Runs in this page: nothing leaves it. ${kept}; Reset restores the initial state.`;
}

/** `PUT /crm/v1/deals/501 422 rule-that-refused`. */
function describeOutcome({ method, path, status, rule, choices: made = [] }: LoggedRequest): (string | HTMLElement)[] {
  const outcome = create('strong', [status === undefined ? 'no answer' : String(status)]);
  outcome.className = status !== undefined && status < 400 ? 'accepted' : 'refused';
  const reasons = [...(rule === undefined ? [] : [reason('rule', rule)]), ...made.map((id) => reason('choice', id))];
  return [outcome, ` ${method} ${path}`, ...reasons];
}

/** Links to the row of a rule or choice. */
function reason(kind: string, id: string): HTMLElement {
  const link = create('a', [create('code', [`${kind} ${id}`])]);
  link.setAttribute('href', `${rulesFile}#${id}`);
  return link;
}

function showTime(milliseconds: number): void {
  const time = find(barIds.time);
  const text = formatTime(milliseconds);
  if (time.textContent !== text) time.textContent = text;
}

/** To the minute, in the reader's own time zone. */
function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Escape closes the list that lies over the page before anything below it, wherever the focus is. */
function closeOnEscape(list: HTMLElement): void {
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !list.hasAttribute('open')) return;
    event.stopImmediatePropagation();
    if (list.contains(document.activeElement)) list.querySelector('summary')?.focus();
    list.removeAttribute('open');
  };
  window.addEventListener('keydown', close, { capture: true });
}

function create(name: string, content: (string | HTMLElement)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}
