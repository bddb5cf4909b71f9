import { FootnoteError, type ApiKeyEvent, type Decider } from '#contracts';

import type { ApiKeyCommand } from './api-key.commands.js';
import type { ApiKeyState } from './api-key.state.js';

/** Stream `apikey-<id>`. A revoked key never comes back. */
export const apiKeyDecider: Decider<ApiKeyCommand, ApiKeyState, ApiKeyEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

function decide(command: ApiKeyCommand, state: ApiKeyState): readonly ApiKeyEvent[] {
  switch (command.type) {
    case 'IssueApiKey':
      return state.status === 'absent' ? [{ type: 'ApiKeyIssued', data: command.data }] : [];
    case 'RevokeApiKey':
      if (state.status === 'absent') throw new FootnoteError('key_not_found', 'There is no such API key');
      return state.status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: { key_id: state.key_id } }];
  }
}

function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  switch (event.type) {
    case 'ApiKeyIssued':
      return state.status === 'absent' ? { status: 'active', ...event.data } : state;
    case 'ApiKeyRevoked':
      return state.status === 'active' ? { ...state, status: 'revoked' } : state;
    default:
      return state;
  }
}
