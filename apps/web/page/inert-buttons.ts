/**
 * Ignores clicks on buttons with `aria-disabled`. Unlike `disabled` ones they keep the focus while
 * their request runs, so that people without a mouse do not lose their place.
 */
export function ignoreInertButtons(): void {
  addEventListener(
    'click',
    (event) => {
      const { target } = event;
      if (!(target instanceof Element) || !target.closest('[aria-disabled="true"]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}
