import type {
  ChatResponseView,
  ConversationDetailView,
  ConversationDocumentView,
  ConversationView,
  MeView,
  QuotaUsageView,
  UploadedPdfView,
} from '#contracts/http/index';

/** A signed-in person of a running service. */
export class Person {
  private cookie = '';
  private csrf = '';
  constructor(private readonly url: string) {}

  register(email: string): Promise<this> {
    return this.signUp('/auth/register', { email, tenant_name: 'Zoo' });
  }

  accept(email: string, token: string): Promise<this> {
    return this.signUp('/auth/accept', { email, token });
  }

  private async signUp(path: string, fields: object): Promise<this> {
    const body = { ...fields, password: 'correct horse battery staple' };
    const response = await this.send('POST', path, JSON.stringify(body));
    if (response.status !== 201) throw new Error(await response.text());
    this.cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0] ?? '')
      .join('; ');
    this.csrf = ((await response.json()) as MeView).csrf_token;
    return this;
  }

  async call<Body = { code: string }>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }> {
    const response = await this.send(method, path, body && JSON.stringify(body));
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  async upload(
    bytes: Uint8Array,
    conversationId?: string,
  ): Promise<{ status: number; body: UploadedPdfView & { code: string } }> {
    const form = new FormData();
    if (conversationId !== undefined) form.append('conversation_id', conversationId);
    form.append('file', new Blob([Buffer.from(bytes)]), 'manual.pdf');
    const response = await this.send('POST', '/chat/upload-pdf', form);
    return {
      status: response.status,
      body: (await response.json()) as UploadedPdfView & { code: string },
    };
  }

  async begin(): Promise<string> {
    return (await this.call<ConversationView>('POST', '/conversations', {})).body.id;
  }

  async documents(conversationId: string): Promise<ConversationDocumentView[]> {
    return (await this.call<ConversationDetailView>('GET', `/conversations/${conversationId}`)).body
      .documents;
  }

  /** Returns the number of chunks of the person's tenant, as its quota counts them. */
  async chunks(): Promise<number | undefined> {
    const { body } = await this.call<QuotaUsageView>('GET', '/quota/usage');
    return body.usage.find(({ metric }) => metric === 'chunks')?.used;
  }

  async cites(query: string, conversation_id?: string, more: object = {}): Promise<string[]> {
    const { body } = await this.call<ChatResponseView>('POST', '/chat', {
      query,
      ...more,
      ...(conversation_id && { conversation_id }),
    });
    return body.citations.map(({ path }) => path);
  }

  private send(method: string, path: string, body?: string | FormData): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        'x-csrf-token': this.csrf,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(90_000),
    });
  }
}
