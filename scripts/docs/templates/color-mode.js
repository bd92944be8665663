// Redoc stores the reader's colour mode under this key. Without it, the system's preference applies.
try {
  const chosen = localStorage.getItem('redoc.colorMode');
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.classList.add(chosen);
    // TypeDoc reads its own key.
    localStorage.setItem('tsd-theme', chosen);
  }
} catch {
  // A browser may deny storage to pages opened from disk.
}
