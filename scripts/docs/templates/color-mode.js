// Redoc remembers the reader's choice of colours under this key; without one, the system's preference holds.
try {
  const chosen = localStorage.getItem('redoc.colorMode');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.classList.add(chosen);
} catch {
  // A browser may refuse storage to pages from disk.
}
