/** An error that a browser sees on a page of the web UI, and not as JSON. */
export class ShownOnPage extends Error {
  /** @param page path of the page as browsers see it; it gets the code as parameter `error`. */
  constructor(
    readonly error: unknown,
    readonly page: string,
  ) {
    super('An error is shown on a page', { cause: error });
  }
}
