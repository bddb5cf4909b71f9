/** The distillation is impossible as requested. The message says what to change. */
export class DistilError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DistilError';
  }
}
