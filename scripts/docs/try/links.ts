/** Prevents clicks on Scalar's links to other sites, because the page promises that nothing leaves it. */
export function stayInPage(): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link instanceof HTMLAnchorElement && /^https?:$/.test(link.protocol) && link.origin !== location.origin) {
        event.preventDefault();
      }
    },
    { capture: true },
  );
}
