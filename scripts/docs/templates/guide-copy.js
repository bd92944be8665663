// Copies a block of code. The button is hidden at first, so that it is not visible without scripts.
for (const button of document.querySelectorAll('.copy')) {
  const code = button.closest('.code').querySelector('code');
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.textContent = (await copy(code)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    // Some browsers deny the clipboard to pages opened from disk. Copying a selection works in all of them.
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}
