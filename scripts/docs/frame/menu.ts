/** Closes the list of the project's pages as menus close: with Escape, or by a click or focus elsewhere. */
export function startMenu(): void {
  const list = document.querySelector<HTMLDetailsElement>('.carillon-project');
  if (!list) return;
  const closeUnlessInside = ({ target }: Event): void => {
    if (target instanceof Node && !list.contains(target)) list.open = false;
  };
  document.addEventListener('click', closeUnlessInside);
  document.addEventListener('focusin', closeUnlessInside);
  list.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    list.open = false;
    list.querySelector('summary')?.focus();
  });
}
