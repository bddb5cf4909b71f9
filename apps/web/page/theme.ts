const THEME = 'footnote-theme';

/** The colors of the page: those of the system, or the reader's choice. */
export const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Returns the chosen colors, kept in this browser. */
export function chosenTheme(): string {
  return localStorage.getItem(THEME) ?? 'system';
}

/** Keeps a choice of colors and shows them. */
export function chooseTheme(theme: string): void {
  localStorage.setItem(THEME, theme);
  applyTheme();
}

/** Shows the chosen colors, also before anybody is signed in. */
export function applyTheme(): void {
  const theme = chosenTheme();
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}
