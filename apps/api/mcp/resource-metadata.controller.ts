import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';

import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

import { Public } from '../auth/access.decorators.js';
import { CONFIG } from '../engines/engines.js';
import { Problems } from '../openapi/problem-responses.js';

/** Metadata of `/mcp` as a protected resource (RFC 9728). */
class ProtectedResourceView {
  /** The audience of access tokens. */
  @ApiProperty({ example: 'https://footnote.example.com/mcp' })
  resource: string;
  @ApiProperty({ example: 'Footnote' })
  resource_name: string;
  /** Issuers of access tokens. */
  @ApiProperty({ type: [String], example: ['https://id.example.com/realms/team'] })
  authorization_servers: string[];
  /** Scopes that a client requests, those of the sign-in. */
  @ApiProperty({ type: [String], example: ['openid', 'email', 'profile'] })
  scopes_supported: string[];
  @ApiProperty({ type: [String], example: ['header'] })
  bearer_methods_supported: string[];
}

/** Reports the issuer of access tokens to clients of `/mcp`. */
@ApiTags('agents')
@Public()
@Controller('.well-known/oauth-protected-resource')
export class ResourceMetadataController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'identity'>) {}

  /** Returns the metadata of `/mcp` for OAuth clients, if an identity provider is configured. */
  @Get('mcp')
  @Problems('not_found')
  metadata(): ProtectedResourceView {
    const { identity } = this.config;
    if (!identity) throw new FootnoteError('not_found', 'Route not found');
    return {
      resource: identity.mcpResource,
      resource_name: 'Footnote',
      authorization_servers: [identity.issuer],
      scopes_supported: identity.scopes.split(' '),
      bearer_methods_supported: ['header'],
    };
  }
}
