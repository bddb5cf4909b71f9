/** The HTTP calls of the demo; every failure becomes an Error with its sentence. */
export class DemoClient {
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  async get<Answer>(path: string): Promise<Answer> {
    return this.call<Answer>('GET', path);
  }

  async post<Answer>(path: string, body?: object): Promise<Answer> {
    return this.call<Answer>('POST', path, body);
  }

  private async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const answer: unknown = await response.json();
    if (!response.ok)
      throw new Error(
        `${method} ${path} answered ${response.status}: ${(answer as { error: string }).error}`,
      );
    return answer as Answer;
  }
}
