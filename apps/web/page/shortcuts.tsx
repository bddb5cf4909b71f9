import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { goTo } from './hooks.js';
import { Dialog } from './parts.js';

const KEYS = [
  ['/', 'Go to the search field'],
  ['j', 'Next result'],
  ['k', 'Previous result'],
  ['o', 'Open the result in the reading pane'],
  ['Esc', 'Close a dialog'],
  ['?', 'Show these keys'],
] as const;

/** Handles the keys that work everywhere, and lists them. */
export function Shortcuts(): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') setOpen(true);
      else if (event.key === '/') focusSearch();
      else if (event.key === 'j') moveResult(1);
      else if (event.key === 'k') moveResult(-1);
      else if (event.key === 'o') (document.activeElement as HTMLElement | null)?.click();
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

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  if (field) field.focus();
  else goTo(['search']);
}

function moveResult(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}
