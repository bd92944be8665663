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
 * `kill` of `npm run …` reaches npm and the shell below it, and that shell passes no signal on. All that the program
 * sees is that its parent has gone; without this it would keep the port.
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
