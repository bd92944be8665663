import { messageOf } from '../message-of.ts';
/** Closes the server on Ctrl+C or SIGTERM. A second signal ends the process at once, which is Node's default. */
export function closeOnSignal(server: { close(): Promise<void> }): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const close = () => {
    for (const signal of signals) process.off(signal, close);
    server.close().catch((error: unknown) => {
      console.error(messageOf(error));
      process.exitCode = 1;
    });
  };
  for (const signal of signals) process.on(signal, close);
  closeWithNpm(close);
}

/**
 * `kill` on `npm run …` reaches npm and its shell, but the shell does not forward the signal. The program only sees
 * that its parent process is gone. Without this check, it would keep the port.
 */
function closeWithNpm(close: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    close();
  }, 500);
  watch.unref();
}
