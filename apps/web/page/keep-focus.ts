/**
 * Keeps the focus in the page. When the focused element disappears, such as the row of a removed
 * link, its nearest remaining place gets the focus.
 */
export function keepFocus(): void {
  let last: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? ancestorsOf(target) : [];
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || last[0]?.isConnected !== false) return;
    const place = last.find((each) => each.isConnected && each.matches('[tabindex]'));
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** Returns an element and everything around it, innermost first. */
function ancestorsOf(element: Element): readonly Element[] {
  const all: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) all.push(each);
  return all;
}
