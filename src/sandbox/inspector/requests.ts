import type { LoggedRequest } from '../index.ts';
import { button, code, element, input, labelled, link } from './dom.ts';
import type { Panel, PanelHost } from './panel.ts';
import { Rows } from './rows.ts';

const maxRows = 200;

/**
 * Panel that shows the log, newest request first. An open request shows what was sent, the response, and the reason for the
 * response.
 */
export function requestsPanel(host: PanelHost): Panel {
  const { control, act, refresh, isLive } = host;
  const search = input({ type: 'search', placeholder: 'path, operation, rule, body, status' });
  search.addEventListener('input', refresh);
  const pause = button('Pause', () => {
    pause.ariaPressed = String(pause.ariaPressed !== 'true');
    refresh();
  });
  pause.ariaPressed = 'false';
  const clear = button('Clear', () =>
    act(async () => {
      await control.send('DELETE', 'requests');
      return 'Requests cleared';
    }),
  );
  const list = element('ol', 'requests');
  list.ariaLabel = 'Requests, newest first';
  const empty = element('p', 'muted');
  const rows = new Rows<LoggedRequest>(
    list,
    ({ id }) => id,
    (entry) => showRequest(entry, host),
  );
  let count: number | undefined;
  return {
    title: 'Requests',
    content: element(
      'div',
      '',
      element('div', 'bar', labelled('Search', search, 'grow'), isLive && pause, clear),
      empty,
      list,
    ),
    async read() {
      if (pause.ariaPressed === 'true') return () => count;
      const entries = await control.send<LoggedRequest[]>(
        'GET',
        `requests?bodies=false${filterOf(search.value.trim())}`,
      );
      const { count: all } = await control.send<{ count: number }>('GET', 'requests/count');
      return () => {
        count = all;
        rows.show(entries.reverse());
        empty.hidden = entries.length > 0;
        empty.textContent =
          all > 0 ? 'No request matches the search.' : 'No requests yet. New requests appear at the top.';
        return count;
      };
    },
  };
}

/** Returns the filter for a search. Three digits search for a status. */
function filterOf(text: string): string {
  const filter = new URLSearchParams({ limit: String(maxRows) });
  if (/^[1-5]\d\d$/.test(text)) filter.set('status', text);
  else if (text !== '') filter.set('text', text);
  return `&${filter}`;
}

function showRequest(entry: LoggedRequest, host: PanelHost): HTMLLIElement {
  const { method, path, status, rule, choices = [], fault, milliseconds } = entry;
  const isWaiting = milliseconds === undefined;
  const isRejected = status === undefined ? !isWaiting : status >= 400;
  const causes = [
    fault !== undefined && `fault ${fault}`,
    rule !== undefined && `rule ${rule}`,
    rule === undefined && choices.length > 0 && `choice ${choices.join(', ')}`,
  ];
  const why = causes.filter(Boolean).join(' · ');
  const outcome = element('strong', isRejected ? 'bad' : 'good', String(status ?? (isWaiting ? 'waiting' : 'dropped')));
  const summary = element(
    'summary',
    '',
    element('span', 'method', method),
    element('span', 'path', path),
    element('span', 'ms', isWaiting ? '' : `${milliseconds} ms`),
    outcome,
    why !== '' && element('span', isRejected ? 'why bad' : 'why muted', why),
  );
  const details = element('details', '', summary);
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1)
      void showDetail(entry, host).then(
        (detail) => details.append(detail),
        () => details.append(element('p', 'muted', 'The log no longer contains this request.')),
      );
  });
  return element('li', '', details);
}

/** Reads the bodies only when a request is opened, because bodies can be long. */
async function showDetail({ id, at, operation }: LoggedRequest, { control, links }: PanelHost): Promise<HTMLElement> {
  const entry = await control.send<LoggedRequest>('GET', `requests/${id}`);
  const { rules, choices } = await control.about();
  const { rule, choices: made = [], fault, status } = entry;
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return element(
    'div',
    'detail',
    element('p', 'muted', `Request ${id}${operation ? ` · ${operation}` : ''} · ${time} UTC`),
    rule !== undefined &&
      explain('Rule', rule, rules, links.rules, 'This rule is documented, and the request violated it.'),
    ...made.map((choice) =>
      explain(
        'Choice',
        choice,
        choices,
        links.choices,
        'The documents do not specify this behaviour, so the sandbox had to choose one. The service may behave differently.',
      ),
    ),
    fault !== undefined && element('p', '', `Fault ${fault} was applied.`),
    element(
      'div',
      'sides',
      element(
        'section',
        '',
        element('h3', '', 'Request'),
        showBody(entry.body, entry.bodyLength),
        showHeaders(entry.headers),
      ),
      element(
        'section',
        '',
        element('h3', '', status === undefined ? 'No response' : `Response ${status}`),
        status !== undefined && showBody(entry.responseBody, entry.responseBodyLength),
        showHeaders(entry.responseHeaders),
      ),
    ),
  );
}

/** Shows a rule or a choice with its ID, its sentence, and an explanation of its kind. */
function explain(
  kind: string,
  id: string,
  sentences: Readonly<Record<string, string>>,
  address: string | undefined,
  meaning: string,
): HTMLElement {
  const name = address === undefined ? element('code', '', id) : link(`${address}#${id}`, id);
  const text = Object.hasOwn(sentences, id) ? sentences[id] : undefined;
  return element(
    'p',
    'reason',
    element('span', 'tag', kind),
    ' ',
    name,
    text !== undefined && element('span', 'text', ...withCode(text)),
    element('small', 'muted', meaning),
  );
}

/** Formats the names between backticks in a sentence about a rule or a choice. */
function withCode(text: string): (string | HTMLElement)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', '', part)));
}

function showBody(body: unknown, length: number | undefined): HTMLElement {
  if (body !== undefined) return code(body);
  return element('p', 'muted', length === undefined ? 'No body' : 'This body is not in the log.');
}

function showHeaders(headers: LoggedRequest['headers'] = {}): HTMLElement | false {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.length > 0 && element('details', 'more', element('summary', '', 'Headers'), code(lines.join('\n')));
}
