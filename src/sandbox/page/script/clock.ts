import { control } from './control.ts';
import { byId, onClick, onSubmit, run, say } from './dom.ts';

interface Now {
  now: number;
  isFrozen: boolean;
}

const time = byId('time', HTMLTimeElement);
const freeze = byId('freeze', HTMLButtonElement);
const newTime = byId('new-time', HTMLInputElement);
let last: Now & { read: number } = { now: 0, isFrozen: true, read: 0 };

export function startClock(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-advance]'))
    button.addEventListener('click', () =>
      run(async () => {
        const milliseconds = Number(button.dataset.advance);
        show(await control('POST', 'clock/advance', { milliseconds }));
        say(`The clock is at ${time.textContent}`);
      }),
    );
  onClick('freeze', async () => {
    show(await control('POST', last.isFrozen ? 'clock/resume' : 'clock/freeze', {}));
    say(last.isFrozen ? 'The clock is frozen' : 'The clock runs');
  });
  onSubmit('set-clock', async () => {
    const wasFrozen = last.isFrozen;
    show(await control('POST', 'clock/freeze', { at: Date.parse(`${newTime.value}Z`) }));
    if (!wasFrozen) show(await control('POST', 'clock/resume', {}));
    say(`The clock is at ${time.textContent}`);
  });
}

export async function refreshClock(): Promise<void> {
  show(await control('GET', 'clock'));
}

/** Moves the shown time on, between two replies of the sandbox. */
export function tick(): void {
  const now = last.isFrozen ? last.now : last.now + performance.now() - last.read;
  const text = new Date(now).toISOString().slice(0, 19);
  time.dateTime = `${text}Z`;
  time.textContent = text.replace('T', ' ');
}

function show(now: Now): void {
  const isFirst = last.read === 0;
  last = { ...now, read: performance.now() };
  byId('frozen', HTMLElement).hidden = !now.isFrozen;
  freeze.textContent = now.isFrozen ? 'Resume' : 'Freeze';
  tick();
  if (isFirst) newTime.value = time.dateTime.slice(0, 19);
}
