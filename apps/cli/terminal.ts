import { plainText } from './plain-text.js';

/** Rows of a table that are read before its widths are fixed. */
const MEASURED_ROWS = 200;

/** A form of results. */
export type OutputMode = 'text' | 'json' | 'agent';

export interface Streams {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** The output of a command: data to stdout, all else to stderr. */
export class Terminal {
  /** Form of results; the options of the command line set it. */
  mode: OutputMode = 'text';
  exitCode = 0;

  constructor(
    private readonly streams: Streams,
    private readonly noColor: boolean,
  ) {}

  /** True if a person reads the data on a terminal. */
  get isInteractive(): boolean {
    return this.streams.stdout.isTTY === true;
  }

  /** Writes a line of data. */
  line(text: string): void {
    this.streams.stdout.write(`${text}\n`);
  }

  /** Writes data without a line break. */
  raw(text: string): void {
    this.streams.stdout.write(text);
  }

  /** Writes bytes, and waits while the reader is slow. */
  async bytes(part: Uint8Array): Promise<void> {
    const { stdout } = this.streams;
    if (!stdout.write(part)) await new Promise((resolve) => stdout.once('drain', resolve));
  }

  /** Writes a remark for a person. */
  note(text: string): void {
    this.streams.stderr.write(`${plainText(text)}\n`);
  }

  /** Writes progress over the last one, on a terminal only. */
  progress(text: string): void {
    if (this.mode === 'text' && this.streams.stderr.isTTY) {
      this.streams.stderr.write(`\r\u001b[K${plainText(text)}`);
    }
  }

  /** Clears the line of progress. */
  progressEnded(): void {
    if (this.mode === 'text' && this.streams.stderr.isTTY) this.streams.stderr.write('\r\u001b[K');
  }

  /** Writes one object: a JSON body, or its fields as lines. */
  object(value: object): void {
    if (this.mode === 'json') {
      this.line(JSON.stringify(value));
      return;
    }
    const fields = Object.entries(value).filter(([, each]) => each !== undefined);
    const width = Math.max(...fields.map(([name]) => name.length));
    for (const [name, each] of fields) this.line(`${name.padEnd(width)}  ${cell(each)}`);
  }

  /**
   * Writes a list: NDJSON, or a table of some fields with a header on a terminal. The first rows
   * determine the widths; later ones are written as they come.
   */
  async list<Row extends object>(
    rows: AsyncIterable<Row>,
    columns: readonly (keyof Row & string)[],
  ): Promise<void> {
    if (this.mode === 'json') {
      for await (const row of rows) this.line(JSON.stringify(row));
      return;
    }
    let waiting: string[][] | undefined = [];
    let widths: readonly number[] = [];
    const lineOf = (cells: readonly string[]) =>
      cells
        .map((each, at) => each.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd();
    const flush = (table: readonly (readonly string[])[]) => {
      widths = columns.map((column, at) =>
        Math.max(column.length, ...table.map((cells) => cells[at]?.length ?? 0)),
      );
      if (this.streams.stdout.isTTY) this.line(this.bold(lineOf(columns)));
      for (const cells of table) this.line(lineOf(cells));
    };
    for await (const row of rows) {
      const cells = columns.map((column) => cell(row[column]));
      if (!waiting) this.line(lineOf(cells));
      else if (waiting.push(cells) >= MEASURED_ROWS) {
        flush(waiting);
        waiting = undefined;
      }
    }
    if (waiting) flush(waiting);
  }

  /** Returns the text in bold where the output shows it. */
  bold(text: string): string {
    if (this.noColor || this.mode !== 'text' || !this.streams.stdout.isTTY) return text;
    return `\u001b[1m${text}\u001b[0m`;
  }
}

/** Returns the text of a field; an object with a name, such as an actor, is its name. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const name: unknown = typeof value === 'object' ? Reflect.get(value, 'name') : value;
  return plainText(typeof name === 'string' ? name : JSON.stringify(value));
}
