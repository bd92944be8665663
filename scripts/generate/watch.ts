import { watch } from 'node:fs';

/** Runs immediately and after every save in a folder. Saves during a run cause one more run. */
export function runOnSave(folder: string, run: () => Promise<unknown>): void {
  let running = false;
  let again = false;
  const start = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await run();
    running = false;
    if (again) {
      again = false;
      await start();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  // Editors save in several steps, so wait for the last one.
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(start, 100);
  });
  void start();
}
