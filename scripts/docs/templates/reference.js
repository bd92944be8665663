// Redoc renders landmarks, headings and menus that assistive technology cannot use as they are. This script only adds
// attributes, and a heading for pages that Redoc opens at an operation: it changes nothing that Redoc itself reads.
{
  const root = document.getElementById('redoc');
  const title = document.createElement('h1');
  title.className = 'unseen';
  title.textContent = document.title.split(' · ')[0];

  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const repair = () => {
    const main = root.querySelector('main');
    if (!main) return;
    set(main, 'tabindex', '-1');
    // Redoc has a heading of its own where it starts with the introduction.
    if (main.querySelector('h1:not(.unseen)')) title.remove();
    else if (title.parentNode !== main) main.prepend(title);
    for (const menu of root.querySelectorAll('.menu-content')) {
      set(menu, 'role', 'navigation');
      set(menu, 'aria-label', 'Operations');
    }
    // "Request" is one level below its operation, and what it consists of one level below that.
    for (const heading of root.querySelectorAll('[data-section-id] :is(h4, h5, h6)')) {
      set(heading, 'role', 'heading');
      set(heading, 'aria-level', String(Number(heading.tagName[1]) - 1));
    }
    // The name of a menu has to contain its text, which says what is chosen.
    for (const menu of root.querySelectorAll('button[aria-haspopup="menu"][aria-label]')) {
      const [name] = menu.getAttribute('aria-label').split(': ');
      const chosen = menu.textContent.trim();
      if (chosen) set(menu, 'aria-label', `${name}: ${chosen}`);
    }
  };

  let due = false;
  new MutationObserver(() => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      repair();
    });
  }).observe(root, { childList: true, subtree: true, characterData: true });
  repair();

  // Redoc reads the address after "#", so a link into the page would lead it astray.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    root.querySelector('main').focus();
  });
}
