/** Attributes that Scalar's elements need for assistive technology, by selector. `null` removes one. */
const repairs: [selector: string, attributes: Record<string, string | null>][] = [
  ['button[aria-controls]:empty, button.group\\/copy-button:not([aria-label])', { 'aria-label': 'Copy' }],
  ['button[role="none"]', { role: null }],
  // Its label lacks the words that are shown, so a voice command would not find it.
  ['button.show-more[aria-label]', { 'aria-label': null }],
  // They never say whether their list is open, which a combobox must.
  ['.code-input-lite__editor[role="combobox"]', { role: 'textbox' }],
  ['.cm-content[contenteditable="true"]:not([aria-label])', { 'aria-label': 'Request body' }],
  ['.cm-content[contenteditable="false"]:not([aria-label])', { 'aria-label': 'Response body' }],
  // Who has no mouse scrolls it with the arrow keys.
  ['.cm-scroller[tabindex="-1"]', { tabindex: '0' }],
  // Landmarks with the same name are of no help to find one's way.
  ['.scalar-card[role="region"]', { role: 'group' }],
  ['.scalar-app-layout section[aria-label^="Notifications"]', { 'aria-label': 'Messages of the request editor' }],
];

/** Repairs what Scalar's markup lacks for assistive technology, whenever it has changed. */
export function keepRepaired(): void {
  new MutationObserver(repair).observe(document.body, {
    childList: true,
    subtree: true,
    // The class says whether the request editor is open.
    attributeFilter: ['class'],
  });
  repair();
}

function repair(): void {
  for (const [selector, attributes] of repairs)
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
  for (const button of document.querySelectorAll('button[aria-controls]')) {
    const id = button.getAttribute('aria-controls') ?? '';
    if (!document.getElementById(id)) button.removeAttribute('aria-controls');
  }
  // Below an open request editor, the reference is out of reach.
  const isCovered = document.querySelector('.scalar-client--open main') !== null;
  document.querySelector('main.references-rendered')?.toggleAttribute('inert', isCovered);
}
