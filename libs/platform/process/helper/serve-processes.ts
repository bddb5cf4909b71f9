import type { Duplex, Writable } from 'node:stream';

import { killGroup, spawnGroup } from '../started-process.js';
import {
  type FailedFrame,
  type Frame,
  FrameReader,
  readJson,
  type StartFrame,
  type TakenFrame,
  TO_HELPER,
  TO_SERVICE,
  writeFrame,
  writeJson,
} from './frames.js';

/** Bytes of one stream of one process in flight to the service; the rest stays in the pipe. */
const WINDOW = 512 * 1024;
/**
 * Time that error output waits for more, milliseconds, and the most bytes that wait. git writes its
 * progress in many small pieces, and each frame wakes both sides.
 */
const GATHER_MS = 20;
const GATHER_BYTES = 16 * 1024;

/**
 * Starts processes for the other end of the socket, and forwards their input and output. Resolves
 * when the other end is gone or sends an invalid frame; every process and its group is killed by
 * then.
 */
export async function serveProcesses(service: Duplex): Promise<void> {
  const processes = new Map<number, ServedProcess>();
  const reader = new FrameReader();
  const gone = Promise.withResolvers<void>();
  service.on('data', (data: Buffer) => {
    try {
      for (const frame of reader.push(data)) take(frame);
    } catch {
      service.destroy();
    }
  });
  service.on('error', () => undefined);
  service.once('end', gone.resolve);
  service.once('close', gone.resolve);

  function take(frame: Frame): void {
    if (frame.kind !== TO_HELPER.start) return processes.get(frame.id)?.take(frame);
    const served = new ServedProcess(service, frame.id, () => processes.delete(frame.id));
    processes.set(frame.id, served);
    served.start(readJson<StartFrame>(frame));
  }

  await gone.promise;
  for (const served of processes.values()) served.kill();
}

class ServedProcess {
  private child: ReturnType<typeof spawnGroup> | undefined;
  private readonly underWay = { stdout: 0, stderr: 0 };
  private readonly gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private gathering: NodeJS.Timeout | undefined;
  private over = false;

  constructor(
    private readonly service: Writable,
    private readonly id: number,
    private readonly forget: () => void,
  ) {}

  start({ command, parameters, ...options }: StartFrame): void {
    try {
      const child = spawnGroup(command, parameters, options);
      this.child = child;
      child.once('error', (error) => this.fail(error));
      child.once('close', (code, signal) => this.end(TO_SERVICE.ended, { code, signal }));
      child.stdout.on('data', (data: Buffer) => {
        writeFrame(this.service, this.id, TO_SERVICE.output, data);
        this.count('stdout', data.length);
      });
      child.stderr.on('data', (data: Buffer) => this.gather(data));
      if (child.pid !== undefined) writeJson(this.service, this.id, TO_SERVICE.started, child.pid);
    } catch (error) {
      this.fail(error);
    }
  }

  take(frame: Frame): void {
    switch (frame.kind) {
      case TO_HELPER.input:
        // Also taken if the process has closed its input, so that nobody waits for it.
        this.child?.stdin.write(frame.payload, () =>
          writeFrame(this.service, this.id, TO_SERVICE.inputTaken),
        );
        return;
      case TO_HELPER.inputEnd:
        return void this.child?.stdin.end();
      case TO_HELPER.kill:
        return this.kill();
      case TO_HELPER.taken: {
        const { stream, bytes } = readJson<TakenFrame>(frame);
        this.underWay[stream] -= bytes;
        if (this.underWay[stream] < WINDOW) this.child?.[stream].resume();
        return;
      }
      default:
        throw new RangeError(`A frame of kind ${frame.kind} is unknown`);
    }
  }

  kill(): void {
    killGroup(this.child?.pid);
  }

  private gather(data: Buffer): void {
    this.gathered.push(data);
    this.gatheredBytes += data.length;
    this.count('stderr', data.length);
    if (this.gatheredBytes >= GATHER_BYTES) this.passGathered();
    else this.gathering ??= setTimeout(() => this.passGathered(), GATHER_MS);
  }

  private passGathered(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    if (this.gatheredBytes === 0) return;
    this.gatheredBytes = 0;
    const data = Buffer.concat(this.gathered.splice(0));
    writeFrame(this.service, this.id, TO_SERVICE.errorOutput, data);
  }

  private count(stream: 'stdout' | 'stderr', bytes: number): void {
    this.underWay[stream] += bytes;
    if (this.underWay[stream] >= WINDOW) this.child?.[stream].pause();
  }

  private fail(error: unknown): void {
    const { message, code } = error as NodeJS.ErrnoException;
    const reported: FailedFrame = { message, ...(code === undefined ? {} : { code }) };
    this.end(TO_SERVICE.failed, reported);
  }

  private end(kind: number, value: unknown): void {
    if (this.over) return;
    this.over = true;
    this.passGathered();
    this.forget();
    writeJson(this.service, this.id, kind, value);
  }
}
