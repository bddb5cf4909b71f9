import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { Config } from '#platform';

import { Public } from '../auth/access.decorators.js';
import { CONFIG } from '../engines/engines.js';
import { webUiPath } from '../web-ui/web-ui-path.js';

/** Links to further documentation. Paths are those of this host. */
class RootView {
  @ApiProperty({ example: 'footnote' })
  service: string;
  /** A page to read and try the API. */
  @ApiProperty({ example: '/docs' })
  docs: string;
  /** The description of the API. */
  @ApiProperty({ example: '/openapi.json' })
  openapi: string;
  /** The description of the messages that the service sends. */
  @ApiProperty({ example: '/asyncapi.json' })
  asyncapi: string;
}

@ApiTags('operation')
@Public()
@Controller()
export class RootController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'http'>) {}

  /** Returns the addresses of the API description; sends browsers to the page for people. */
  @Get()
  root(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): RootView | undefined {
    void reply.header('vary', 'accept');
    const { webUi, publicUrl } = this.config.http;
    if (webUi && accept?.includes('text/html')) {
      void reply.redirect(webUiPath(publicUrl), 303);
      return undefined;
    }
    return {
      service: 'footnote',
      docs: '/docs',
      openapi: '/openapi.json',
      asyncapi: '/asyncapi.json',
    };
  }
}
