import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs a function immediately, and after every save in the folders or their subfolders. Saves during a run cause one more run.
 */
export function runOnSave(folders: readonly string[], run: () => Promise<unknown>, signal?: AbortSignal): void {
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
  // Editors save in several steps, so wait for the last step.
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(start, 100);
  };
  // With `recursive`, Node on Linux watches a file that an editor then replaces, and misses all later saves.
  for (const folder of folders) {
    const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const each of [folder, ...below.map(({ parentPath, name }) => join(parentPath, name))])
      watch(each, { signal }, wait);
  }
  void start();
}
