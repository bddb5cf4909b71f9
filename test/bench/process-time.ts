import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second in `/proc`, the same on every Linux. */
const TICKS = 100;

/**
 * Returns the processor seconds that a process and everything it started have used. An ended
 * process counts with the process that waited for it.
 * @returns null where the system does not report it.
 */
export function processorSeconds(pid: number): number | null {
  try {
    const all = readdirSync('/proc').flatMap((name) =>
      /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
    );
    const tree = new Set([pid]);
    for (let found = 0; found < tree.size;) {
      found = tree.size;
      for (const each of all) if (tree.has(each.parent)) tree.add(each.pid);
    }
    return (
      all.filter((each) => tree.has(each.pid)).reduce((sum, each) => sum + each.ticks, 0) / TICKS
    );
  } catch {
    return null;
  }
}

function statOf(
  pid: number,
): { readonly pid: number; readonly parent: number; readonly ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Of its own in user and kernel mode, and of the children it has waited for.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
