import { Socket } from 'node:net';

import { Client, type ClientConfig } from 'pg';

/**
 * A client whose connection ends with the first answer that is overdue (`query_timeout`). node-postgres by itself only gives
 * up the waiting: the statement would stay before every later one on that connection, the transaction's rollback first.
 */
export class ImpatientClient extends Client {
  constructor(config: ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    const send = this.query.bind(this) as (...words: readonly unknown[]) => unknown;
    const query = (...words: readonly unknown[]) => {
      const answer = send(...words);
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (error instanceof Error && error.message === 'Query read timeout') socket.destroy();
        });
      }
      return answer;
    };
    Object.assign(this, { query });
  }
}
