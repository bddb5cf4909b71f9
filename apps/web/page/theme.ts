const THEME = 'footnote-theme';

/** The colors of the page: those of the system, or the reader's choice. */
export const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Returns the chosen colors, kept in this browser. */
export function chosenTheme(): string {
  try {
    return localStorage.getItem(THEME) ?? 'system';
  } catch {
    // A browser may refuse pages their storage.
    return 'system';
  }
}

/** Keeps a choice of colors and shows them. */
export function chooseTheme(theme: string): void {
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // The choice lasts as long as the page.
  }
  applyTheme(theme);
}

/** Shows the chosen colors, also before anybody is signed in. */
export function applyTheme(theme = chosenTheme()): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}
