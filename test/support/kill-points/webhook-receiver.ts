import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the receiver got it. */
export interface ReceivedEvent {
  /** The header `webhook-id`. */
  readonly webhookId: string;
  readonly id: string;
  readonly sequence: string;
  readonly type: string;
}

/** A receiver of webhooks that may leave a request unanswered. */
export class WebhookReceiver {
  readonly received: ReceivedEvent[] = [];
  /** Called instead of an answer, once. */
  onNext: (() => void) | null = null;
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id, sequence, type } = JSON.parse(Buffer.concat(parts).toString()) as ReceivedEvent;
      const webhookId = String(request.headers['webhook-id']);
      this.received.push({ webhookId, id, sequence, type });
      const { onNext } = this;
      this.onNext = null;
      if (onNext) onNext();
      else response.writeHead(204).end();
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
