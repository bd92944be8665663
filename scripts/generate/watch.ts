import { watch } from 'node:fs';

/** Runs at once and after every save below a folder; saves that come while it runs are taken together afterwards. */
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
  // Editors save in several steps: the last of them counts.
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(start, 100);
  });
  void start();
}
