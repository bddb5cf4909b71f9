/** Key with its raw value in one table of a TOML file. */
export interface TomlEntry {
  /** Name in the brackets; empty before the first table. */
  readonly table: string;
  readonly key: string;
  /** Value as written; a list of several lines is one value. */
  readonly value: string;
}

const TABLE = /^\[{1,2}([^[\]]{1,200})\]/;
const ENTRY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([\w.-]{1,200}))\s*=\s*(\S.*)$/;
const STRING = /"([^"\n]*)"|'([^'\n]*)'/g;

/** Returns the entries of a TOML text, line by line: the part of TOML that manifests use. */
export function tomlEntries(text: string): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let table = '';
  let open: { key: string; value: string } | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (open) {
      open.value += `\n${line}`;
      if (line.startsWith(']') || line.endsWith(']')) {
        entries.push({ table, ...open });
        open = undefined;
      }
      continue;
    }
    const named = TABLE.exec(line);
    if (named) {
      table = (named[1] ?? '').replaceAll('"', '').trim();
      continue;
    }
    const entry = ENTRY.exec(line);
    if (!entry) continue;
    const key = entry[1] ?? entry[2] ?? entry[3] ?? '';
    const value = entry[4] ?? '';
    if (value.startsWith('[') && !value.includes(']')) open = { key, value };
    else entries.push({ table, key, value });
  }
  if (open) entries.push({ table, ...open });
  return entries;
}

/** Returns the strings in a value. */
export function tomlStrings(value: string): string[] {
  return Array.from(value.matchAll(STRING), ([, double, single]) => double ?? single ?? '');
}
