import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Limits of one file. */
export interface PdfLimits {
  /** Most pages; a document with more is rejected. */
  readonly maxPages: number;
  /** Most seconds, of wall time and of a processor alike. */
  readonly maxSeconds: number;
  /** Most bytes, in addition to the memory that Node reserves at its start. */
  readonly maxMemory: number;
}

/** End of a child that did not answer. */
export type ChildEnd = 'time' | 'memory' | 'output' | 'crash';

export type ChildOutcome = { readonly output: Buffer } | { readonly ended: ChildEnd };

/** Means of this machine to confine a child. */
export interface Confinement {
  /** Program and arguments that remove the network; empty where user namespaces are unavailable. */
  readonly withoutNetwork: readonly string[];
  /** Path of `prlimit`, if it exists. */
  readonly prlimit: string | undefined;
}

const CHILD = fileURLToPath(new URL('./pdf-child.js', import.meta.url));
const MAX_STDERR = 8 * 1024;
const PROBE_MS = 5_000;
/**
 * Address space at start. Node 24 claims 560 MiB when it starts, and uses a tenth of them. With a
 * limit below that, nothing starts.
 */
const CLAIMED_AT_START = 640 * 1024 * 1024;
/**
 * Share of a file's memory for objects. The rest is for bytes outside the heap, including the file
 * itself.
 */
const HEAP_SHARE = 0.75;

let confinement: Promise<Confinement> | undefined;

/**
 * Returns the available means of confinement, tried once per process. Containers often forbid user
 * namespaces, and only Linux has either program. Node's own permissions, the limit of its heap and
 * the time limit apply everywhere.
 */
export function confinementHere(): Promise<Confinement> {
  confinement ??= Promise.all([
    wordsThatWork([programAt('unshare'), '-r', '-n', '--']),
    wordsThatWork([programAt('prlimit'), '--nofile=64', '--']),
  ]).then(([withoutNetwork, [prlimit]]) => ({ withoutNetwork, prlimit }));
  return confinement;
}

function programAt(name: string): string | undefined {
  return ['/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/** Returns the words if a harmless program can be started with them as prefix. */
async function wordsThatWork([program, ...words]: readonly [
  string | undefined,
  ...string[],
]): Promise<readonly string[]> {
  if (program === undefined) return [];
  return new Promise((resolve) => {
    execFile(program, [...words, '/bin/true'], { timeout: PROBE_MS, env: {} }, (error) =>
      resolve(error ? [] : [program, ...words]),
    );
  });
}

/**
 * Returns the real path of the PDF library's module: links on the way would be outside of the
 * readable paths.
 */
export function pdfLibrary(): string {
  return realpathSync(fileURLToPath(import.meta.resolve('unpdf/pdfjs')));
}

/**
 * Runs the program of one PDF in a process of its own. The process has no environment, no further
 * process or thread, and reads only its program and the library. It has no network where the
 * machine can remove it, and ends when memory or time are used up. @param settings for the child,
 * as JSON. @param maxOutput bytes; a child with more output is killed. @param program the child's
 * entry file; for specs. @throws the signal's reason when aborted, and an error when no process can
 * be started. The child has ended by then.
 */
export async function runPdfChild(
  input: Uint8Array,
  settings: object,
  limits: PdfLimits,
  options: { readonly maxOutput: number; readonly signal: AbortSignal; readonly program?: string },
): Promise<ChildOutcome> {
  const here = await confinementHere();
  options.signal.throwIfAborted();
  const child = start(settings, limits, options.program ?? CHILD, here);
  const watch = new ChildWatch(child, limits.maxSeconds * 1_000, options.maxOutput, options.signal);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return watch.outcome();
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start(
  settings: object,
  limits: PdfLimits,
  program: string,
  { withoutNetwork, prlimit }: Confinement,
): Child {
  const folder = realpathSync(fileURLToPath(new URL('.', import.meta.url)));
  const script = realpathSync(program);
  const rules = join(dirname(folder), 'redact/*');
  const readable = [
    `${folder}/*`,
    rules,
    pdfLibrary(),
    ...(script.startsWith(folder) ? [] : [script]),
  ];
  const words = [
    ...withoutNetwork,
    ...(prlimit === undefined ? [] : [prlimit, ...resourceLimits(limits), '--']),
    process.execPath,
    `--max-old-space-size=${Math.max(16, Math.floor((limits.maxMemory / 1024 / 1024) * HEAP_SHARE))}`,
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    script,
    JSON.stringify(settings),
  ];
  const [command = '', ...parameters] = words;
  return spawn(command, parameters, {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function resourceLimits({ maxMemory, maxSeconds }: PdfLimits): readonly string[] {
  return [
    `--data=${maxMemory + CLAIMED_AT_START}`,
    `--cpu=${Math.ceil(maxSeconds)}`,
    '--nofile=64',
    '--fsize=0',
    '--core=0',
  ];
}

/** Reads the output of a child, and ends the child when it writes or takes too much. */
class ChildWatch {
  private readonly pieces: Buffer[] = [];
  private size = 0;
  private stderr = '';
  private ended: ChildEnd | undefined;

  constructor(
    private readonly child: Child,
    private readonly timeoutMs: number,
    private readonly maxOutput: number,
    private readonly signal: AbortSignal,
  ) {
    child.stdout.on('data', (data: Buffer) => this.take(data));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-MAX_STDERR);
    });
  }

  async outcome(): Promise<ChildOutcome> {
    const timer = setTimeout(() => this.end('time'), this.timeoutMs);
    const abort = (): void => killGroup(this.child);
    this.signal.addEventListener('abort', abort, { once: true });
    try {
      const [code, by] = await new Promise<[number | null, NodeJS.Signals | null]>(
        (resolve, reject) => {
          this.child.once('error', reject);
          this.child.once('close', (...end) => resolve(end));
        },
      );
      this.signal.throwIfAborted();
      if (this.ended === undefined && code === 0) return { output: Buffer.concat(this.pieces) };
      return { ended: this.ended ?? this.causeOf(by) };
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener('abort', abort);
    }
  }

  private take(data: Buffer): void {
    this.size += data.length;
    if (this.size > this.maxOutput) this.end('output');
    else this.pieces.push(data);
  }

  private end(cause: ChildEnd): void {
    this.ended ??= cause;
    killGroup(this.child);
  }

  /**
   * Returns the cause of an end. Used-up processor time shows as a signal. Used-up memory shows in
   * V8's message or as the way in which it ends a process without one.
   */
  private causeOf(by: NodeJS.Signals | null): ChildEnd {
    if (by === 'SIGXCPU' || by === 'SIGKILL') return 'time';
    if (/out of memory|allocation failed|cannot allocate|bad_alloc/i.test(this.stderr))
      return 'memory';
    return by === 'SIGABRT' || by === 'SIGTRAP' || by === 'SIGSEGV' || by === 'SIGILL'
      ? 'memory'
      : 'crash';
  }
}

function killGroup(child: Child): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
