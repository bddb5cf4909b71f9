/** Nothing can be distilled as it was asked for. The message says what to change. */
export class DistilError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DistilError';
  }
}
