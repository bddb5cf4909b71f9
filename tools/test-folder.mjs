// Chooses the folder for the tests' files: in memory if there is space, otherwise the system's
// folder for temporary files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** The mount point of shared memory in Linux. */
const MEMORY = '/dev/shm';
const PREFIX = 'footnote-tests-';
const TMPFS = 0x01021994;
const GIB = 1_024 ** 3;
/** Seven times the observed size of all test files at once (150 MB). */
const FREE_SPACE = GIB;
/** Two workers of 1 GB each, the processes that they start, and the files. */
const FREE_MEMORY = 4 * GIB;

/**
 * Returns variables for the tests. A test that opens the read models copies and removes a thousand
 * files, and every append waits for the disk. On some machines that is most of the time of all
 * tests. None of them tests a power failure: a killed process leaves its files, on a disk as in
 * memory. A `TMPDIR` of the caller is kept.
 */
export function testFolder() {
  if (process.env.TMPDIR || !hasRoom()) return {};
  removeAbandoned();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { mode: 0o700 });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return runsPrograms(folder) ? { TMPDIR: folder } : {};
}

function hasRoom() {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return (
      type === TMPFS &&
      bavail * bsize >= FREE_SPACE &&
      (process.availableMemory?.() ?? freemem()) >= FREE_MEMORY
    );
  } catch {
    // Not Linux.
    return false;
  }
}

/** Containers may forbid it there. */
function runsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}

/** Removes folders of killed runs. */
function removeAbandoned() {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : NaN);
    if (pid > 0 && !isRunning(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
