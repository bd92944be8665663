// A link to an entry opens it: browsers open only what is around the target, not the entry whose heading it is.
{
  const show = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const entry = target?.closest('details');
    if (!entry) return;
    entry.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
}
