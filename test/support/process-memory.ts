import { readFileSync } from 'node:fs';

/**
 * Returns the memory of a process in KiB: resident now (`VmRSS`), or its peak (`VmHWM`). The peak
 * is not `resourceUsage().maxRSS`: Linux keeps that across fork and exec, so that a child begins at
 * the size of its parent.
 * @returns null where the system does not report it, or the process has ended
 */
export function memoryKiB(what: 'VmRSS' | 'VmHWM', pid: number | 'self' = 'self'): number | null {
  try {
    const match = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    );
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}
