import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import type { Logger } from '../../logging/logger.js';
import {
  killGroup,
  type ProcessEnd,
  ProcessLostError,
  type StartProcess,
} from '../started-process.js';
import {
  type FailedFrame,
  type Frame,
  FrameReader,
  readJson,
  type StartFrame,
  TO_HELPER,
  TO_SERVICE,
  writeFrame,
  writeJson,
} from './frames.js';
import { RemoteProcess } from './remote-process.js';

const PROGRAM = fileURLToPath(new URL('./helper-process.js', import.meta.url));
/** Memory limits: it buffers only data in flight. */
const FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=2', '--no-warnings'];

/**
 * Starts processes by a small helper process that stays alive, so that the large process is not
 * copied and its event loop never waits (docs/adr/0012). Parameters travel over a socket: they are
 * on no command line except the process's own, and in no log. The helper ends with this process,
 * for any reason, and kills its children. If the helper ends first, its children are killed and
 * lost ({@link ProcessLostError}), and the next request starts another helper.
 */
export class ProcessHelper {
  private line: Line | undefined;
  private closed = false;

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** Starts the helper before the first process is requested. */
  warm(): void {
    if (!this.closed) this.current();
  }

  /**
   * Starts a process like {@link StartProcess}; a process that is requested after the close is
   * lost.
   */
  readonly start: StartProcess = (command, parameters, options) =>
    this.current().start({ command, parameters, ...options });

  /** Ends the helper and with it every process. */
  close(): void {
    this.closed = true;
    this.line?.end();
  }

  /** Process id of the helper; undefined while there is none. */
  get pid(): number | undefined {
    return this.line?.isOpen === true ? this.line.pid : undefined;
  }

  private current(): Line {
    if (this.line?.isOpen === true) return this.line;
    this.line = new Line((how) => {
      if (!this.closed)
        this.logger.warn(how, 'process helper: it ended; the next process restarts it');
    });
    if (this.closed) this.line.end();
    return this.line;
  }
}

/** One helper and its processes. */
class Line {
  isOpen = true;
  private readonly helper: ChildProcess;
  private readonly socket: Socket;
  private readonly processes = new Map<number, RemoteProcess>();
  private started = 0;

  constructor(private readonly onEnd: (how: object) => void) {
    this.helper = spawn(process.execPath, [...FLAGS, PROGRAM], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    this.socket = this.helper.stdio[3] as Socket;
    const reader = new FrameReader();
    this.socket.on('data', (data: Buffer) => {
      try {
        for (const frame of reader.push(data)) this.take(frame);
      } catch (err) {
        this.lose({ err });
      }
    });
    this.socket.on('error', (err) => this.lose({ err }));
    this.socket.once('close', () => this.lose({}));
    this.helper.once('error', (err) => this.lose({ err }));
    this.helper.once('exit', (code, signal) => this.lose({ code, signal }));
    // Only running processes keep this process alive.
    this.helper.unref();
    this.socket.unref();
  }

  get pid(): number | undefined {
    return this.helper.pid;
  }

  start(frame: StartFrame): RemoteProcess {
    const id = (this.started += 1);
    const send = (kind: number, payload?: Uint8Array): void => {
      if (this.isOpen && this.processes.has(id)) writeFrame(this.socket, id, kind, payload);
    };
    const remote = new RemoteProcess({
      input: (piece) =>
        this.isOpen && this.processes.has(id)
          ? send(TO_HELPER.input, piece)
          : remote.inputWasTaken(),
      inputEnd: () => send(TO_HELPER.inputEnd),
      taken: (stream, bytes) =>
        send(TO_HELPER.taken, Buffer.from(JSON.stringify({ stream, bytes }))),
      kill: () => send(TO_HELPER.kill),
    });
    if (!this.isOpen) {
      remote.isLost(new ProcessLostError());
      return remote;
    }
    this.processes.set(id, remote);
    this.socket.ref();
    try {
      writeJson(this.socket, id, TO_HELPER.start, frame);
    } catch (error) {
      this.forget(id);
      remote.isLost(error as Error);
    }
    return remote;
  }

  /** Closes the socket; the helper then kills its processes and ends. */
  end(): void {
    this.lose({});
  }

  private take(frame: Frame): void {
    const remote = this.processes.get(frame.id);
    if (!remote) return;
    switch (frame.kind) {
      case TO_SERVICE.started:
        remote.pid = readJson<number>(frame);
        return;
      case TO_SERVICE.output:
        return remote.stdout.come(frame.payload);
      case TO_SERVICE.errorOutput:
        return remote.stderr.come(frame.payload);
      case TO_SERVICE.inputTaken:
        return remote.inputWasTaken();
      case TO_SERVICE.ended:
        this.forget(frame.id);
        return remote.hasEnded(readJson<ProcessEnd>(frame));
      case TO_SERVICE.failed: {
        this.forget(frame.id);
        const { message, code } = readJson<FailedFrame>(frame);
        return remote.isLost(Object.assign(new Error(message), code === undefined ? {} : { code }));
      }
      default:
        return;
    }
  }

  private forget(id: number): void {
    this.processes.delete(id);
    if (this.processes.size === 0) this.socket.unref();
  }

  /**
   * Marks all processes as lost. The helper kills them when the socket closes; if it was killed
   * itself, this process does.
   */
  private lose(how: object): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.socket.destroy();
    for (const remote of this.processes.values()) {
      killGroup(remote.pid);
      remote.isLost(new ProcessLostError());
    }
    this.processes.clear();
    this.onEnd(how);
  }
}
