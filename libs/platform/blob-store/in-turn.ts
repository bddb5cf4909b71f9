/** Runs changes of one name one after the other, and of different names side by side, within this process. */
export class InTurn {
  /** The newest change of a name that is under way. */
  private readonly newest = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.newest.get(name) ?? Promise.resolve()).then(work, work);
    this.newest.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.newest.get(name) === turn) this.newest.delete(name);
    }
  }
}
