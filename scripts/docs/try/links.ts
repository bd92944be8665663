/** Scalar's own links lead out of the page, which promises that nothing leaves it: they are text here. */
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
