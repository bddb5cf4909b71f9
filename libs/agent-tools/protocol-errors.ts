import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import { problemText } from './tool-problem.js';

/** Takes errors that are no answer to the input of a caller, with the name of what failed. */
export type OnFailure = (error: unknown, name: string) => void;

/**
 * Runs work that is no tool, and throws its errors as errors of the protocol. Unexpected ones go to
 * `onFailure`; the caller sees none of their text.
 */
export async function protocolErrors<Result>(
  name: string,
  onFailure: OnFailure,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const text = problemText(error);
    if (text !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    onFailure(error, name);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The service failed; repeat the call. (code: internal_error)',
    );
  }
}
