import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { goTo } from './hooks.js';
import { Dialog } from './parts.js';

const KEYS = [
  ['/', 'Go to the search field'],
  ['j', 'Next result'],
  ['k', 'Previous result'],
  ['o', 'Open the result in the reading pane'],
  ['↓', 'From the search field to the first result'],
  ['Esc', 'Leave the search field, or close the reading pane or a dialog'],
  ['?', 'Show these keys'],
] as const;

/** Handles the keys that work everywhere, and lists them. */
export function Shortcuts(): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (leavesSearch(event)) {
        event.preventDefault();
        return;
      }
      if (isTyping(event.target)) return;
      if (event.key === '?') setOpen(true);
      else if (event.key === '/') focusSearch();
      else if (event.key === 'j') moveResult(1);
      else if (event.key === 'k') moveResult(-1);
      else if (event.key === 'o') openResult();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input, textarea, select') || target.closest('dialog') !== null)
  );
}

/** Moves from the search field to the results, or out of it. Returns whether it did. */
function leavesSearch({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLInputElement) || target.type !== 'search') return false;
  if (key === 'ArrowDown') return moveResult(1);
  if (key !== 'Escape' || target.closest('dialog')) return false;
  document.getElementById('main')?.focus();
  return true;
}

function openResult(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.matches('[data-result]')) {
    activeElement.click();
  }
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  if (field) field.focus();
  else goTo(['search']);
}

/** Focuses another result. Returns whether there is one. */
function moveResult(step: number): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
  return links.length > 0;
}
