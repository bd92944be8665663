// Copies a block of code. The button is hidden in the page, so that nobody without script sees one that does nothing.
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
    // Not every browser gives a page from disk the clipboard; what is selected can be copied in all of them.
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}
