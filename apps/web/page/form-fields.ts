/** Returns the text of a field of a form; empty where the form has none. */
export function fieldText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the texts of all fields of a form by name. */
export function fieldTexts(form: HTMLFormElement): Record<string, string> {
  const fields = new FormData(form);
  return Object.fromEntries([...fields.keys()].map((name) => [name, fieldText(fields, name)]));
}
