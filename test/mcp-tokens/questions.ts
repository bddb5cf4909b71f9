/** A question about pallets/flask, and the text that someone who knows the answer looks for. */
export interface Question {
  readonly question: string;
  readonly text: string;
}

/** Ten questions about the source of Flask, chosen before any measurement. */
export const QUESTIONS: readonly Question[] = [
  { question: 'How is a session signed?', text: 'SecureCookieSessionInterface' },
  { question: 'Where is the application context pushed?', text: 'def push' },
  { question: 'How do blueprints get a URL prefix?', text: 'url_prefix' },
  { question: 'How are error handlers registered?', text: 'register_error_handler' },
  { question: 'How are responses serialized as JSON?', text: 'DefaultJSONProvider' },
  { question: 'How does the test client keep cookies?', text: 'FlaskClient' },
  { question: 'How is configuration loaded from a file?', text: 'from_pyfile' },
  { question: 'How are templates of a blueprint found?', text: 'DispatchingJinjaLoader' },
  { question: 'How does a stream keep its request?', text: 'stream_with_context' },
  { question: 'How does the command line find the application?', text: 'locate_app' },
];
