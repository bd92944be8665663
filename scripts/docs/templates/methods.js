// Shows the methods that have all words and one of the chosen effects. Without this script, the page shows all of them.
{
  const form = document.getElementById('filter');
  const rows = [...document.querySelectorAll('tbody tr')].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    effect: row.querySelector('.effect').textContent,
  }));
  const update = () => {
    const data = new FormData(form);
    const words = String(data.get('words')).toLowerCase().split(/\s+/).filter(Boolean);
    const effects = data.getAll('effect');
    let shown = 0;
    for (const { row, text, effect } of rows) {
      row.hidden = !effects.includes(effect) || !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const section of document.querySelectorAll('main section')) {
      section.hidden = !section.querySelector('tbody tr:not([hidden])');
    }
    form.querySelector('output').textContent = `${shown} of ${rows.length} methods`;
  };
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  // After "back", the browser restores what was entered.
  addEventListener('pageshow', update);
  update();
}
