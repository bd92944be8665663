/** Ends the program cleanly on Ctrl+C or SIGTERM; a second signal ends it at once, as Node does by itself. */
export function closeOnSignal(server: { close(): Promise<void> }): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const close = () => {
    for (const signal of signals) process.off(signal, close);
    void server.close();
  };
  for (const signal of signals) process.on(signal, close);
  closeWithNpm(close);
}

/**
 * `kill` on `npm run …` reaches npm and its shell, which passes no signal on: the program only sees that its parent is
 * gone. Without this check it would keep the port.
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
