import { readFileSync } from 'node:fs';

/**
 * Memory of a process in KiB: what is resident now (`VmRSS`), or the most that ever was (`VmHWM`).
 * For the peak not `resourceUsage().maxRSS`: Linux keeps that across fork and exec, so that a child
 * begins at the size of its parent.
 * @returns null where the system does not tell, or the process is gone
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
