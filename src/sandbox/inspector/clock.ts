import { button, element, input, labelled } from './dom.ts';
import type { Panel, PanelHost } from './panel.ts';

interface Now {
  now: number;
  isFrozen: boolean;
}

const minute = 60_000;
const steps: Readonly<Record<string, number>> = {
  '+1 minute': minute,
  '+15 minutes': 15 * minute,
  '+1 hour': 60 * minute,
  '+1 day': 24 * 60 * minute,
  '+30 days': 30 * 24 * 60 * minute,
};

export function clockPanel({ control, act }: PanelHost): Panel {
  const time = element('time', '');
  const state = element('span', 'tag');
  const freeze = button('Freeze', () =>
    act(async () => {
      show(await control.send('POST', shown?.isFrozen ? 'clock/resume' : 'clock/freeze', {}));
      return shown?.isFrozen ? 'The clock is frozen' : 'The clock runs';
    }),
  );
  const newTime = input({ type: 'datetime-local', step: '1', required: true });
  const set = element('form', 'bar', labelled('New time (UTC)', newTime), element('button', '', 'Set'));
  set.addEventListener('submit', (event) => {
    event.preventDefault();
    act(async () => {
      const wasFrozen = shown?.isFrozen;
      show(await control.send('POST', 'clock/freeze', { at: Date.parse(`${newTime.value}Z`) }));
      if (!wasFrozen) show(await control.send('POST', 'clock/resume', {}));
      return `The clock is at ${time.textContent}`;
    });
  });
  const advance = (milliseconds: number) => () =>
    act(async () => {
      show(await control.send('POST', 'clock/advance', { milliseconds }));
      return `The clock is at ${time.textContent}`;
    });
  let shown: Now | undefined;

  function show(now: Now): void {
    const text = new Date(now.now).toISOString().slice(0, 19);
    if (!shown) newTime.value = text;
    shown = now;
    time.dateTime = `${text}Z`;
    // The inspector reads a running clock only from time to time, so the seconds would be wrong.
    time.textContent = text.replace('T', ' ').slice(0, now.isFrozen ? 19 : 16);
    state.textContent = now.isFrozen ? 'frozen' : 'running';
    freeze.textContent = now.isFrozen ? 'Resume' : 'Freeze';
  }

  return {
    title: 'Clock',
    content: element(
      'div',
      '',
      element('p', 'time', time, ' ', element('span', 'muted', 'UTC'), ' ', state),
      element(
        'p',
        'muted',
        'The sandbox has its own clock. As time passes on this clock, tokens expire, emails are delivered and quotas are renewed. The clock never runs backwards.',
      ),
      element('div', 'bar', ...Object.entries(steps).map(([name, length]) => button(name, advance(length))), freeze),
      set,
    ),
    async read() {
      const now = await control.send<Now>('GET', 'clock');
      return () => void show(now);
    },
  };
}
