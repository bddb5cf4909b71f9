/** An event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** Id to resume after; absent where the stream has none. */
  readonly id?: string;
}

/** More characters than any event of the service has. */
const MOST_CHARS = 4_000_000;

/** Reads events from pieces of a stream, wherever the pieces are cut. */
export class EventStreamReader {
  private rest = '';

  /**
   * Returns the events that end in this piece. Comments (heartbeats) are left out.
   * @throws Error when an event is larger than 4 million characters.
   */
  push(piece: string): readonly StreamEvent[] {
    this.rest += piece.replaceAll('\r\n', '\n');
    const blocks = this.rest.split('\n\n');
    this.rest = blocks.pop() ?? '';
    if (this.rest.length > MOST_CHARS)
      throw new Error('The stream sent an event that is too large');
    return blocks.map(parseBlock).filter((event) => event !== null);
  }
}

function parseBlock(block: string): StreamEvent | null {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
    if (line.startsWith('id:')) id = line.slice('id:'.length).trim();
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
  }
  return data.length === 0
    ? null
    : { event, data: data.join('\n'), ...(id !== undefined && { id }) };
}
