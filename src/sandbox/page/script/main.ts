/** The script of the page that shows what a sandbox holds. */
import { refreshClock, startClock, tick } from './clock.ts';
import { AccessError, chooseWorld, control, keepToken, takeTokenFromAddress } from './control.ts';
import { byId, messageOf, onClick, onSubmit, option, run, say } from './dom.ts';
import { refreshFaults, startFaults } from './faults.ts';
import { refreshRecords, startRecords } from './records.ts';
import { clearRequests, refreshRequests, startRequests } from './requests.ts';
import { refreshSnapshots, startSnapshots, takeSnapshot } from './snapshots.ts';

const pollMilliseconds = 1_000;
/** Clock, faults, snapshots and worlds change seldom, so every fifth time is enough. */
const seldom = 5;

const main = byId('main', HTMLElement);
const signIn = byId('sign-in', HTMLFormElement);
const world = byId('world', HTMLSelectElement);
let isLost = false;
let turns = 0;

async function poll(): Promise<void> {
  try {
    if (!document.hidden && signIn.hidden) await refresh();
  } catch (error) {
    if (error instanceof AccessError) askToken();
    // `fetch` could not reach it. After a restart, its requests are numbered from 1 again.
    if (error instanceof TypeError) isLost = true;
    say(isLost ? 'The sandbox does not answer' : messageOf(error), true);
  } finally {
    setTimeout(poll, pollMilliseconds);
  }
}

async function refresh(): Promise<void> {
  if (isLost) clearRequests(true);
  const hasNew = await refreshRequests();
  if (hasNew || isLost || turns % seldom === 0) {
    await Promise.all([refreshRecords(), refreshClock(), refreshFaults(), refreshSnapshots(replaced), refreshWorlds()]);
    main.hidden = false;
  }
  turns += 1;
  if (isLost) say('');
  isLost = false;
}

/** After all data has been replaced. */
async function replaced(): Promise<void> {
  await Promise.all([refreshRequests(), refreshRecords(), refreshClock(), refreshFaults(), refreshSnapshots(replaced)]);
}

async function refreshWorlds(): Promise<void> {
  const names = await control<string[]>('GET', 'worlds');
  byId('world-choice', HTMLElement).hidden = names.length < 2;
  if ([...world.options].map(({ value }) => value).join('\n') === names.join('\n')) return;
  const chosen = world.value;
  world.replaceChildren(...names.map((name) => option(name, name || 'default')));
  world.value = chosen;
}

function askToken(): void {
  main.hidden = true;
  signIn.hidden = false;
  byId('token', HTMLInputElement).focus();
}

takeTokenFromAddress();
startRecords();
startRequests();
startClock();
startFaults();
startSnapshots(replaced);
onClick('reset', async () => {
  await takeSnapshot('before-reset');
  await control('POST', 'reset', {});
  clearRequests();
  await replaced();
  say('Reset. The previous data is in the snapshot before-reset.');
});
onSubmit('sign-in', async () => {
  keepToken(byId('token', HTMLInputElement).value.trim());
  signIn.hidden = true;
  say('');
  turns = 0;
  await run(refresh);
});
world.addEventListener('change', () =>
  run(async () => {
    chooseWorld(world.value);
    clearRequests(true);
    await replaced();
  }),
);
setInterval(tick, pollMilliseconds);
void poll();
