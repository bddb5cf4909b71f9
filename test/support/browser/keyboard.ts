import type { Locator, Page } from 'playwright-core';

const MOST_TABS = 200;

/** A person without a mouse: they reach elements by Tab, and work with them by keys. */
export class Keyboard {
  /** Number of fields filled in, and of elements activated. */
  actions = 0;
  /** Steps after which nothing had the focus. */
  readonly lost: string[] = [];
  private last = '';

  constructor(readonly page: Page) {}

  /** Presses Tab until the element has the focus. @throws Error if it is out of reach. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    if (this.last !== '' && (await this.focused('document.body'))) this.lost.push(this.last);
    for (let presses = 0; presses <= MOST_TABS; presses += 1) {
      if (await target.evaluate(hasFocus)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  /** Activates an element. @param key Enter for links and buttons, Space for checkboxes. */
  async activate(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.reach(target);
    this.note(`${key} at ${String(target)}`);
    await this.page.keyboard.press(key);
  }

  /** Replaces the text of a field. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    this.note(`text in ${String(target)}`);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Chooses an option of a list by the beginning of its title. */
  async choose(target: Locator, title: string): Promise<void> {
    await this.reach(target);
    this.note(`${title} in ${String(target)}`);
    await this.page.keyboard.type(title);
  }

  /** Presses a key where the focus is. */
  async press(key: string): Promise<void> {
    this.note(key);
    await this.page.keyboard.press(key);
  }

  /** Returns whether the element has the focus; `element` is an expression in the page. */
  focused(element: string): Promise<boolean> {
    return this.page.evaluate<boolean>(`document.activeElement === ${element}`);
  }

  private note(step: string): void {
    this.actions += 1;
    this.last = step;
  }
}

/** Runs in the page. The compiler of the tests does not know elements. */
function hasFocus(element: { readonly matches: (selector: string) => boolean }): boolean {
  return element.matches(':focus');
}
