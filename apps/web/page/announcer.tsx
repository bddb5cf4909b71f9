import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

const ID = 'announcer';

/** The place from which screen readers announce results; it exists before they arrive. */
export function Announcer(): JSX.Element {
  return <p class="hidden" role="status" id={ID} />;
}

/** Announces a text when it changes; null leaves what was announced. */
export function useAnnouncement(text: string | null): void {
  useEffect(() => {
    const place = document.getElementById(ID);
    if (place && text !== null) place.textContent = text;
  }, [text]);
}
