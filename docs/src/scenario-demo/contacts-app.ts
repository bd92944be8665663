import { type Client, type ClientOptions, type Crm, createClient, isCarillonError } from 'carillon';
import { button, element } from './dom.ts';

/** Contacts per page. */
const pageSize = 20;
const sender = 'sales@example.com';

/** A contact as the app shows it. */
interface Row {
  name: string;
  email: string | undefined;
  isUnsubscribed: boolean;
  isBounced: boolean;
}

/** A small app: lists contacts with the state of their email address, and requests a new subscription. */
export class ContactsApp {
  readonly content: HTMLElement = element('section', 'app');
  readonly #list = element('ul', 'contacts');
  readonly #message = Object.assign(element('div', 'message'), { role: 'status' });
  readonly #leave = new AbortController();
  readonly #fetch: ClientOptions['fetch'];
  #api: Client;

  constructor(fetch: ClientOptions['fetch']) {
    this.#fetch = fetch;
    this.#api = this.#connect({ apiKey: 'demo-key', allowBrowser: true });
    this.#list.ariaLabel = 'Contacts';
    // Scrollable, so the keyboard must reach it.
    this.#list.tabIndex = 0;
    this.content.ariaLabel = 'Contacts app';
    this.content.append(element('h3', '', 'Contacts'), this.#list, this.#message);
    void this.#load();
  }

  /** Cancels running requests. */
  close(): void {
    this.#leave.abort();
  }

  #connect(auth: ClientOptions['auth']): Client {
    return createClient({
      baseUrl: 'https://api.example.com',
      auth,
      fetch: this.#fetch,
      maxRetries: 1,
      logger: { warn: () => {} },
    });
  }

  async #load(offset = 0): Promise<void> {
    const { signal } = this.#leave;
    this.#show('loading', offset === 0 ? 'Loading contacts …' : 'Loading more contacts …');
    this.content.ariaBusy = 'true';
    try {
      const [contacts, unsubscribed, bounces] = await Promise.all([
        this.#api.crm.contacts.list({ limit: pageSize, offset }, { signal }),
        this.#api.email.unsubscribes.list({}, { signal }),
        this.#api.email.bounces.list({}, { signal }),
      ]);
      const without = new Set(unsubscribed.data.map(({ email }) => email));
      const bounced = new Set(bounces.data.map(({ recipient }) => recipient));
      const rows = contacts.data.map((contact): Row => {
        const email = emailOf(contact);
        const name = [contact.firstName, contact.lastName].filter(Boolean).join(' ') || 'No name';
        return { name, email, isUnsubscribed: without.has(email ?? ''), isBounced: bounced.has(email ?? null) };
      });
      this.#list.append(...rows.map((row) => this.#row(row)));
      this.#showEnd(contacts.total ?? rows.length, contacts.nextOffset);
    } catch (error) {
      if (signal.aborted) return;
      this.#showFailure(error, 'The contacts could not be loaded.', () => void this.#load(offset));
    } finally {
      this.content.ariaBusy = 'false';
    }
  }

  #showEnd(total: number, nextOffset: number | undefined): void {
    const shown = this.#list.childElementCount;
    if (shown === 0) this.#show('empty', 'No contacts yet. They appear here as soon as somebody signs up.');
    else if (nextOffset === undefined || shown >= total) this.#show('', `${shown} contacts`);
    else
      this.#show(
        '',
        `${shown} of ${total.toLocaleString('en')} contacts`,
        button('Load more', () => void this.#load(nextOffset)),
      );
  }

  #row({ name, email, isUnsubscribed, isBounced }: Row): HTMLElement {
    const outcome = Object.assign(element('p', 'outcome'), { role: 'status', hidden: true });
    const tags = [
      ...(isUnsubscribed ? [element('span', 'tag', 'unsubscribed')] : []),
      ...(isBounced ? [element('span', 'tag bad', 'bounced')] : []),
    ];
    const row = element(
      'li',
      '',
      element('div', 'who', element('strong', '', name), ...tags, element('small', '', email ?? 'No email address')),
    );
    if (isUnsubscribed && email !== undefined) {
      const ask = button('Ask to resubscribe', () => void this.#resubscribe(email, ask, outcome));
      ask.ariaLabel = `Ask to resubscribe: ${name}`;
      row.append(ask);
    }
    row.append(outcome);
    return row;
  }

  async #resubscribe(email: string, ask: HTMLButtonElement, outcome: HTMLElement): Promise<void> {
    const { signal } = this.#leave;
    const say = (text: string, isBad = false): void => {
      outcome.hidden = false;
      outcome.className = isBad ? 'outcome bad' : 'outcome';
      outcome.textContent = text;
    };
    ask.disabled = true;
    say('Sending …');
    try {
      await this.#api.email.unsubscribes.requestResubscription({ email, sender }, { signal });
      say('The request is sent. The address stays unsubscribed until the recipient confirms.');
    } catch (error) {
      if (signal.aborted) return;
      if (isCarillonError(error, 'AuthenticationError')) {
        this.#showFailure(error, '', () => {});
        outcome.hidden = true;
        return;
      }
      if (isCarillonError(error) && error.sent === 'maybe') {
        say('It is not known whether the request was sent. Check the sent emails before you ask again.', true);
        return;
      }
      say(explain(error), true);
      // A used-up quota does not recover while the reader waits.
      ask.disabled = isCarillonError(error, 'RateLimitError');
    }
  }

  /** Shows a failure with the reader's options: log in, wait, or try again. */
  #showFailure(error: unknown, title: string, again: () => void): void {
    if (isCarillonError(error, 'AuthenticationError')) {
      this.#list.replaceChildren();
      const logIn = button('Log in', () => {
        // A client with credentials obtains a token and renews it before it expires.
        this.#api = this.#connect({ clientId: 'demo', clientSecret: 'demo', allowBrowser: true });
        void this.#load();
      });
      this.#show('bad', 'Your key is no longer valid. Log in to continue.', logIn);
    } else {
      this.#show('bad', `${title} ${explain(error)}`, button('Try again', again));
    }
  }

  #show(kind: string, text: string, ...controls: HTMLElement[]): void {
    this.#message.className = `message ${kind}`;
    this.#message.replaceChildren(element('p', '', text), ...controls);
  }
}

/** A sentence for users. */
function explain(error: unknown): string {
  if (isCarillonError(error, 'RateLimitError'))
    return `The quota is used up. Ask again in ${inWords(error.retryAfter)}.`;
  if (isCarillonError(error, 'ServerError')) return `The service has a problem (status ${error.status}).`;
  if (isCarillonError(error, 'ConnectionError')) return 'The connection was lost.';
  if (isCarillonError(error, 'ApiError')) return `The service refused it (status ${error.status}).`;
  return 'Something went wrong.';
}

function inWords(milliseconds = 60_000): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}

/** The service does not document the format of a contact's emails, so this reads the sandbox's. */
function emailOf({ emails = [] }: Crm.Contact): string | undefined {
  const [first] = emails;
  const email: unknown = Object(first).email;
  return typeof email === 'string' ? email : undefined;
}
