// On a narrow screen the bar scrolls. Scroll the current page into view.
{
  const nav = document.querySelector('.carillon-header nav');
  const current = nav?.querySelector('[aria-current="page"]');
  const show = () => {
    if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.clientWidth) / 2;
  };
  show();
  addEventListener('resize', show);
}
