/** Connects the buttons that copy a block of code. They are hidden at first, so that nobody sees them without scripts. */
export function startCopy(): void {
  for (const button of document.querySelectorAll<HTMLElement>('.copy')) {
    const code = button.closest('.code')?.querySelector('code');
    if (!code) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      button.textContent = (await copy(code)) ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
  }
}

async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    // Some browsers deny the clipboard to pages opened from disk. Copying a selection works in all of them.
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
