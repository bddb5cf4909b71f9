import { Readable, Writable } from 'node:stream';

import type { ProcessEnd, StartedProcess } from '../started-process.js';

/** The connection of a remote process to its helper. */
export interface HelperLine {
  input(piece: Uint8Array): void;
  inputEnd(): void;
  taken(stream: 'stdout' | 'stderr', bytes: number): void;
  kill(): void;
}

/** Bytes of input in flight at once. */
const PIECE = 256 * 1024;
/** Bytes of output after which the helper learns what was taken: a part of its window. */
const TELL_BYTES = 64 * 1024;

/** A process of the helper, as the service sees it. */
export class RemoteProcess implements StartedProcess {
  readonly stdin: Writable;
  readonly stdout: RemoteOutput;
  readonly stderr: RemoteOutput;
  readonly ended: Promise<ProcessEnd>;
  /** Id of the process group; known once it runs. */
  pid: number | undefined;
  private readonly end = Promise.withResolvers<ProcessEnd>();
  private inputTaken: (() => void) | undefined;

  constructor(private readonly line: HelperLine) {
    this.stdout = new RemoteOutput((bytes) => line.taken('stdout', bytes));
    this.stderr = new RemoteOutput((bytes) => line.taken('stderr', bytes));
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => this.send(chunk, done),
      final: (done) => {
        line.inputEnd();
        done();
      },
    });
    this.stdin.on('error', () => undefined);
    this.ended = this.end.promise;
    // A reader that stops early need not wait for the end.
    this.ended.catch(() => undefined);
  }

  kill(): void {
    this.line.kill();
  }

  /** Records that the last input reached the process, or never will. */
  inputWasTaken(): void {
    const next = this.inputTaken;
    this.inputTaken = undefined;
    next?.();
  }

  /** Records the end; others are notified once all of its output was taken. */
  hasEnded(end: ProcessEnd): void {
    void Promise.all([this.stdout.over(), this.stderr.over()]).then(() => this.end.resolve(end));
    this.inputWasTaken();
  }

  /** Records that it never ran, or that its state is unknown. */
  isLost(reason: Error): void {
    this.end.reject(reason);
    void this.stdout.over();
    void this.stderr.over();
    this.inputWasTaken();
  }

  private send(chunk: Buffer, done: () => void): void {
    const piece = chunk.subarray(0, PIECE);
    const rest = chunk.subarray(PIECE);
    this.inputTaken = rest.length === 0 ? done : () => this.send(rest, done);
    this.line.input(piece);
  }
}

/** Output with back-pressure: the helper sends no more than its window beyond what was taken. */
class RemoteOutput extends Readable {
  private untold = 0;

  constructor(private readonly tell: (bytes: number) => void) {
    super();
  }

  come(data: Buffer): void {
    this.untold += data.length;
    if (this.destroyed || this.push(data)) this.tellTaken();
  }

  /** Ends the stream. Resolves when everything was read, or nobody reads any more. */
  async over(): Promise<void> {
    if (this.closed) return;
    const closed = new Promise<void>((resolve) => this.once('close', resolve));
    if (!this.destroyed) this.push(null);
    // Output that nobody requested is no reason to wait.
    if (this.readableFlowing === null && this.listenerCount('readable') === 0) this.resume();
    await closed;
  }

  override _read(): void {
    this.tellTaken();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.tellTaken();
    done(error);
  }

  private tellTaken(): void {
    if (this.untold < TELL_BYTES) return;
    const bytes = this.untold;
    this.untold = 0;
    this.tell(bytes);
  }
}
